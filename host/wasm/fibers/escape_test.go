//go:build unix && !race

package fibers_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
)

// fence is a directory for a program, /d, beside what it must not reach.
type fence struct{ base, inside string }

func newFence(t *testing.T) fence {
	t.Helper()
	f := fence{base: t.TempDir()}
	f.inside = filepath.Join(f.base, "inside")
	for _, dir := range []string{"inside", "inside/sub", "outside", "outside/sub"} {
		require.NoError(t, os.Mkdir(filepath.Join(f.base, dir), 0o755))
	}
	for _, file := range []string{"secret", "outside/f", "outside/sub/f"} {
		require.NoError(t, os.WriteFile(filepath.Join(f.base, file), []byte("secret"), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(f.inside, "f"), []byte("public"), 0o644))
	return f
}

// run carries out operations in a program, and returns the line that it prints for each.
func (f fence) run(t *testing.T, dir sandbox.Dir, ops ...string) []string {
	t.Helper()
	dir.Host, dir.Guest = f.inside, "/d"
	e := play(t, fibers.Config{Access: sandbox.Access{Dirs: []sandbox.Dir{dir}}}, program(t, "tree"), ops...)
	e.well(t)
	return strings.Split(strings.TrimSuffix(e.out, "\n"), "\n")
}

// beyond describes all that is outside.
func (f fence) beyond(t *testing.T) (all []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(f.base, func(path string, d fs.DirEntry, _ error) error {
		if path == f.inside {
			return filepath.SkipDir
		}
		info, err := d.Info()
		require.NoError(t, err)
		line := fmt.Sprint(path, info.Mode(), info.ModTime())
		if !d.IsDir() {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			line += string(text)
		}
		all = append(all, line)
		return nil
	}))
	return all
}

// ways are links that lead outside, and names of what is there by way of them. The last are no
// links.
var ways = []struct{ link, target, file, dir string }{
	{link: "abs", target: "BASE/secret", file: "abs"},
	{link: "rel", target: "../secret", file: "rel"},
	{link: "sub/rel", target: "../../secret", file: "sub/rel"},
	{link: "absdir", target: "BASE/outside", file: "absdir/f", dir: "absdir/sub"},
	{link: "reldir", target: "../outside", file: "reldir/f", dir: "reldir/sub"},
	{link: "up", target: "..", file: "up/secret", dir: "up/outside"},
	{link: "root", target: "/", file: "rootBASE/secret", dir: "rootBASE/outside"},
	{link: "there", target: "sub/../../outside", file: "there/f", dir: "there/sub"},
	{link: "back", target: "../inside/../outside", file: "back/f", dir: "back/sub"},
	{link: "chain", target: "reldir", file: "chain/f", dir: "chain/sub"},
	{link: "slash", target: "../outside/", file: "slash/f", dir: "slash/sub"},
	{file: "../secret", dir: "../outside"},
	{file: "sub/../../secret", dir: "sub/../../outside"},
}

// attacks are operations on a file and in a directory that lie outside. None may succeed.
func attacks(file, dir string) (ops []string) {
	ops = []string{"read F", "write F x", "append F x", "truncate F", "stat F", "touch F"}
	if dir != "" {
		ops = append(ops, "mv F /d/stolen", "link F /d/stolen", "rm F", "lstat F",
			"unlink F", "rmdir D", "ls D", "write D/new x", "create D/new x", "mkdir D/new", "rm D", "rmall D", "touch D", "lstat D",
			"mv /d/f D/f", "mv /d/sub D/sub", "link /d/f D/new", "symlink f D/new", "readlink D/f", "mv D /d/stolen")
	}
	for i, op := range ops {
		ops[i] = strings.NewReplacer("F", "/d/"+file, "D", "/d/"+dir).Replace(op)
	}
	return ops
}

func TestNoOperationLeavesADirectoryByALink(t *testing.T) {
	for _, made := range []string{"by the host", "by the program"} {
		t.Run("made "+made, func(t *testing.T) {
			f := newFence(t)
			for _, way := range ways {
				if target := strings.ReplaceAll(way.target, "BASE", f.base); target != "" && made == "by the host" {
					require.NoError(t, os.Symlink(target, filepath.Join(f.inside, way.link)))
				} else if target != "" {
					made := f.run(t, sandbox.Dir{}, "symlink "+target+" /d/"+way.link)
					require.Equal(t, filepath.IsAbs(target), strings.Contains(made[0], "error"), made) // WASI has no absolute links
				}
			}
			before := f.beyond(t)
			for _, way := range ways {
				if _, err := os.Lstat(filepath.Join(f.inside, way.link)); err != nil {
					continue
				}
				file, dir := strings.ReplaceAll(way.file, "BASE", f.base), strings.ReplaceAll(way.dir, "BASE", f.base)
				for _, line := range f.run(t, sandbox.Dir{}, attacks(file, dir)...) {
					require.Regexp(t, `= error: |rmall .* = $`, line)
				}
				require.Equal(t, before, f.beyond(t), way)
				require.FileExists(t, filepath.Join(f.inside, "f"))
				require.NoFileExists(t, filepath.Join(f.inside, "stolen"))
			}
		})
	}
}

// A hard link to a symbolic link, and a renamed one, lead where that leads.
func TestALinkToALinkLeadsNoFurther(t *testing.T) {
	f := newFence(t)
	out := f.run(t, sandbox.Dir{}, "symlink ../secret /d/sub/s", "link /d/sub/s /d/hard", "mv /d/sub/s /d/moved",
		"read /d/hard", "read /d/moved", "write /d/moved x")
	require.Equal(t, []string{
		"symlink ../secret /d/sub/s = ", "link /d/sub/s /d/hard = ", "mv /d/sub/s /d/moved = ",
		"read /d/hard = error: open /d/hard: Operation not permitted",
		"read /d/moved = error: open /d/moved: Operation not permitted",
		"write /d/moved x = error: open /d/moved: Operation not permitted",
	}, out)
}

// The host exchanges a directory and a link that leads outside while the program reads a file
// below that name. Were the name checked before it is used, some read would see the other file.
func TestADirectoryThatBecomesALinkDuringAnOpenLeadsNowhere(t *testing.T) {
	f := newFence(t)
	require.NoError(t, os.WriteFile(filepath.Join(f.inside, "sub", "f"), []byte("public"), 0o644))
	name, spare := filepath.Join(f.inside, "sub"), filepath.Join(f.inside, "spare")
	require.NoError(t, os.Symlink("../outside", spare))
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			third := filepath.Join(f.inside, "third")
			for _, step := range [][2]string{{name, third}, {spare, name}, {third, spare}} {
				if err := os.Rename(step[0], step[1]); err != nil {
					stopped <- err
					return
				}
			}
		}
	}()
	const reads = 20_000
	out := f.run(t, sandbox.Dir{}, "again", strings.Repeat("x", reads), "/d/sub/f")
	close(stop)
	require.NoError(t, <-stopped)
	require.NotContains(t, out, "read secret")
	require.Equal(t, fmt.Sprint("done ", reads), out[len(out)-1])
}

// A file system of the embedder is read only, and that of an os.Root is not left.
func TestAnotherFileSystemIsNotLeftOrChanged(t *testing.T) {
	f := newFence(t)
	require.NoError(t, os.Symlink("../secret", filepath.Join(f.inside, "s")))
	before := f.beyond(t)
	inside, err := os.OpenRoot(f.inside)
	require.NoError(t, err)
	defer func() { require.NoError(t, inside.Close()) }()
	access := sandbox.Access{Dirs: []sandbox.Dir{{FS: inside.FS(), Guest: "/d"}}}
	for path, want := range map[string]string{"/d/f": "public <nil>\n", "/d/s": " open /d/s: "} {
		e := play(t, fibers.Config{Access: access}, program(t, "command"), "cat", path)
		e.well(t)
		require.True(t, strings.HasPrefix(e.out, want), e.out)
		require.NotContains(t, e.out, "secret")
	}
	e := play(t, fibers.Config{Access: access}, program(t, "tree"), "mkdir /d/new", "write /d/f x", "rm /d/f", "symlink f /d/l")
	e.well(t)
	require.NotContains(t, e.out, "= \n", "an operation had no error")
	require.Equal(t, before, f.beyond(t))
	text, err := os.ReadFile(filepath.Join(f.inside, "f"))
	require.NoError(t, err)
	require.Equal(t, "public", string(text))
}
