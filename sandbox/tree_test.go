package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// disk is a directory with a secret outside of the part that the guest may use.
type disk struct{ top, inside, other string }

func newDisk(t *testing.T) disk {
	t.Helper()
	top := t.TempDir()
	d := disk{top, filepath.Join(top, "inside"), filepath.Join(top, "other")}
	for _, dir := range []string{d.inside, d.other, filepath.Join(d.inside, "sub")} {
		require.NoError(t, os.Mkdir(dir, 0o755))
	}
	put(t, filepath.Join(top, "secret"), "secret")
	put(t, filepath.Join(d.inside, "file"), "inside")
	put(t, filepath.Join(d.inside, "sub", "deep"), "deep")
	put(t, filepath.Join(d.other, "file"), "other")
	return d
}

func put(t *testing.T, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

func treeOf(t *testing.T, a Access) *Tree {
	t.Helper()
	tree, err := a.Tree()
	require.NoError(t, err)
	t.Cleanup(tree.Close)
	return tree
}

func content(tree *Tree, name string) (string, error) {
	file, err := tree.OpenFile(name, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	return string(data), err
}

func TestANameLeadsToTheDirectoryWithTheLongestName(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{WorkDir: "/data", Dirs: []Dir{{Host: d.inside, Guest: "/data"}, {Host: d.other, Guest: "/data/other"}, {Host: d.other}}})
	for name, want := range map[string]string{
		"/data/file": "inside", "file": "inside", "./sub/../file": "inside", "/data/sub/deep": "deep", "sub/deep": "deep", "//data//file": "inside",
		"/data/other/file": "other", "other/file": "other", "/../data/file": "inside", "other/../file": "inside",
		filepath.Join(d.other, "file"): "other",
	} {
		got, err := content(tree, name)
		assert.NoError(t, err, name)
		assert.Equal(t, want, got, name)
	}
	for _, name := range []string{"/file", "..", "../file", "/", "/database/file", "/dat", "", filepath.Join(d.top, "secret"), "/data/../secret"} {
		_, err := content(tree, name)
		if name == "" { // the directory itself
			continue
		}
		assert.ErrorAs(t, err, new(*AccessError), name)
	}
}

// Each operation of a Tree, with a name that it is to reach.
func operations(tree *Tree, name string) map[string]error {
	done := map[string]error{}
	open := func(flag int) error {
		file, err := tree.OpenFile(name, flag, 0o600)
		if err == nil {
			err = file.Close()
		}
		return err
	}
	_, done["stat"] = tree.Stat(name)
	_, done["readdir"] = tree.ReadDir(name)
	done["open"] = open(os.O_RDONLY)
	done["append"] = open(os.O_WRONLY | os.O_APPEND)
	done["create"] = open(os.O_WRONLY | os.O_CREATE)
	done["truncate"] = open(os.O_RDONLY | os.O_TRUNC)
	done["mkdir"] = tree.Mkdir(name+"/made", 0o777)
	done["remove"] = tree.Remove(name + "/made")
	done["rename from"] = tree.Rename(name+"/secret", "/data/stolen")
	done["rename to"] = tree.Rename("/data/file", name+"/moved")
	return done
}

func TestTheZeroAccessReachesNoFile(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{})
	for op, err := range operations(tree, d.top) {
		assert.ErrorAs(t, err, new(*AccessError), op)
	}
	_, err := tree.Lstat(d.top)
	assert.ErrorAs(t, err, new(*AccessError))
	_, err = tree.CreateTemp()
	assert.ErrorAs(t, err, new(*AccessError))
	_, err = tree.HostPath("/")
	assert.ErrorAs(t, err, new(*AccessError))
}

func TestNoOperationLeavesTheDirectoryByASymbolicLink(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}}})
	_, err := tree.Stat("/data/file") // the directory is open when the links are made
	require.NoError(t, err)
	for _, link := range [][2]string{{"absolute", d.top}, {"relative", ".."}, {"twice", "relative"}, {"deep", "sub/../.."}} {
		name, target := link[0], link[1] // in this order: "twice" leads to "relative"
		require.NoError(t, os.Symlink(target, filepath.Join(d.inside, name)))
		for op, err := range operations(tree, "/data/"+name) {
			assert.Error(t, err, name+" "+op)
		}
		_, err = content(tree, "/data/"+name+"/secret")
		assert.ErrorAs(t, err, new(*AccessError), name)
		assert.ErrorContains(t, err, "a symbolic link leads out of the directory")
	}
	require.NoError(t, os.Symlink("../secret", filepath.Join(d.inside, "leaf")))
	_, err = content(tree, "/data/leaf")
	assert.ErrorAs(t, err, new(*AccessError))
	require.NoError(t, os.Symlink("sub/deep", filepath.Join(d.inside, "allowed")))
	got, err := content(tree, "/data/allowed")
	require.NoError(t, err)
	assert.Equal(t, "deep", got)
	secret, err := os.ReadFile(filepath.Join(d.top, "secret"))
	require.NoError(t, err)
	assert.Equal(t, "secret", string(secret))
	assert.NoFileExists(t, filepath.Join(d.top, "moved"))
}

// The directory is opened once: what it is replaced by later is not reached.
func TestADirectoryThatIsReplacedByALinkDoesNotLeadOut(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}}})
	_, err := tree.Stat("/data/sub")
	require.NoError(t, err)
	require.NoError(t, os.Rename(d.inside, filepath.Join(d.top, "moved")))
	require.NoError(t, os.Symlink(d.top, d.inside))
	_, err = content(tree, "/data/secret")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	got, err := content(tree, "/data/file")
	require.NoError(t, err)
	assert.Equal(t, "inside", got)
}

func TestAReadOnlyDirectoryIsNotChanged(t *testing.T) {
	d := newDisk(t)
	for _, dir := range []Dir{{Host: d.inside, Guest: "/data", ReadOnly: true}, {FS: os.DirFS(d.inside), Guest: "/data"}} {
		tree := treeOf(t, Access{Dirs: []Dir{dir}})
		for op, err := range operations(tree, "/data") {
			if op == "stat" || op == "readdir" || op == "open" {
				assert.NoError(t, err, op)
				continue
			}
			var refused *AccessError
			require.ErrorAs(t, err, &refused, op)
			assert.Equal(t, "write", refused.Op)
			assert.Contains(t, refused.Why, "read only")
		}
		got, err := content(tree, "/data/sub/deep")
		require.NoError(t, err)
		assert.Equal(t, "deep", got)
		_, err = tree.CreateTemp()
		assert.ErrorAs(t, err, new(*AccessError))
		file, err := tree.OpenFile("/data/file", os.O_RDONLY, 0)
		require.NoError(t, err)
		_, err = file.Write([]byte("x"))
		assert.Error(t, err)
		at, err := file.Seek(2, io.SeekStart)
		assert.NoError(t, err)
		assert.EqualValues(t, 2, at)
		assert.Equal(t, "/data/file", file.Name())
		assert.NoError(t, file.Close())
	}
}

func TestAnFSHasFilesWithoutPositionsAndDeadlines(t *testing.T) {
	tree := treeOf(t, Access{Dirs: []Dir{{FS: unseekable{fstest.MapFS{"a/b": {Data: []byte("text")}}}, Guest: "/"}}})
	got, err := content(tree, "a/b")
	require.NoError(t, err)
	assert.Equal(t, "text", got)
	file, err := tree.OpenFile("/a/b", os.O_RDONLY, 0)
	require.NoError(t, err)
	_, err = file.Seek(0, io.SeekStart)
	assert.ErrorIs(t, err, fs.ErrInvalid)
	assert.ErrorIs(t, file.SetDeadline(time.Time{}), os.ErrNoDeadline)
	entries, err := tree.ReadDir("/a")
	require.NoError(t, err)
	assert.Equal(t, "b", entries[0].Name())
	_, err = tree.HostPath("/a")
	assert.ErrorContains(t, err, "no directory of the system")
}

type unseekable struct{ fs.FS }

func (u unseekable) Open(name string) (fs.File, error) {
	file, err := u.FS.Open(name)
	if _, dir := file.(fs.ReadDirFile); dir || err != nil {
		return file, err
	}
	return struct{ fs.File }{file}, nil
}

func TestFilesAreRenamedWithinADirectoryOnly(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/a"}, {Host: d.other, Guest: "/b"}, {Host: d.other, Guest: "/ro", ReadOnly: true}}})
	require.NoError(t, tree.Rename("/a/file", "/a/sub/file"))
	got, err := content(tree, "/a/sub/file")
	require.NoError(t, err)
	assert.Equal(t, "inside", got)
	assert.ErrorContains(t, tree.Rename("/a/sub/file", "/b/new"), "copy the file")
	assert.ErrorAs(t, tree.Rename("/a/sub/file", "/ro/new"), new(*AccessError))
	assert.ErrorAs(t, tree.Rename("/ro/file", "/a/new"), new(*AccessError))
	assert.EqualError(t, tree.Rename("/a/none", "/a/new"), "rename /a/none /a/new: no such file or directory")
	require.NoError(t, tree.Remove("/a/sub/file"))
	assert.ErrorIs(t, tree.Remove("/a/sub/file"), fs.ErrNotExist)
}

// A link that is put in the place of a directory, after another one has been used, is not followed.
func TestAllDirectoriesAreOpenedWhenTheFirstIsUsed(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/a"}, {Host: d.other, Guest: "/b"}}})
	_, err := tree.Stat("/a")
	require.NoError(t, err)
	require.NoError(t, os.Rename(d.other, filepath.Join(d.top, "moved")))
	require.NoError(t, os.Symlink(d.top, d.other))
	_, err = content(tree, "/b/secret")
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestADirectoryIsTheOneThatItsNameMeantAtFirst(t *testing.T) {
	d := newDisk(t)
	t.Chdir(d.top)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: "inside"}}})
	t.Chdir(d.other)
	got, err := content(tree, "inside/file")
	require.NoError(t, err)
	assert.Equal(t, "inside", got)
}

func TestTheErrorsOfAnOpenFileHaveItsName(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}}})
	dir, err := tree.OpenFile("/data/sub", os.O_RDONLY, 0)
	require.NoError(t, err)
	_, err = dir.Read(make([]byte, 1))
	assert.EqualError(t, err, "read /data/sub: is a directory")
	_, err = dir.Write([]byte("x"))
	assert.EqualError(t, err, "write /data/sub: bad file descriptor")
	require.NoError(t, dir.Close())
	_, err = dir.Seek(0, io.SeekStart)
	assert.EqualError(t, err, "seek /data/sub: file already closed")
}

func TestErrorsHaveTheNamesOfTheGuest(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}, {Host: filepath.Join(d.top, "none"), Guest: "/none"}}})
	for _, name := range []string{"/data/none", "/data/sub/none", "/none/file"} {
		for op, err := range operations(tree, name) {
			if err != nil {
				assert.NotContains(t, err.Error(), d.top, op)
			}
		}
		_, err := content(tree, name)
		assert.NoError(t, tree.Remove("/data/none"), name) // made by operations
		require.NoError(t, tree.Mkdir("/data/none", 0o777))
		_ = err
	}
	_, err := tree.Stat("/none/file")
	assert.EqualError(t, err, "open /none/file: the directory of Access.Dirs for /none: no such file or directory")
}

func TestADirectoryWithoutAMeaningIsAnError(t *testing.T) {
	for why, dirs := range map[string][]Dir{
		"set one of Host and FS": {{Guest: "/data"}},
		"two directories":        {{Host: "/a", Guest: "/data"}, {Host: "/b", Guest: "/data/."}},
	} {
		_, err := Access{Dirs: dirs}.Tree()
		var bad *EntryError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, "Dirs", bad.Field)
		assert.Contains(t, bad.Why, why)
	}
	_, err := Access{Dirs: []Dir{{Host: "/a", FS: os.DirFS("/a")}}}.Tree()
	assert.ErrorAs(t, err, new(*EntryError))
}

func TestTemporaryFilesAreInADirectoryThatMayBeChanged(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}, {Host: d.other, Guest: "/tmp"}}})
	seen := map[string]bool{}
	for range 100 {
		file, err := tree.CreateTemp()
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(file.Name(), "/tmp/"))
		assert.False(t, seen[file.Name()])
		seen[file.Name()] = true
		_, err = file.Write([]byte("x"))
		assert.NoError(t, err)
		assert.NoError(t, file.Close())
	}
	again := treeOf(t, Access{Dirs: []Dir{{Host: d.other, Guest: "/b"}}, Random: strings.NewReader("")})
	_, err := again.CreateTemp()
	require.NoError(t, err)
	_, err = again.CreateTemp()
	assert.ErrorIs(t, err, fs.ErrExist, "a source of random numbers that has ended")
}

func TestAClosedTreeReachesNothing(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}}})
	file, err := tree.OpenFile("/data/file", os.O_RDONLY, 0)
	require.NoError(t, err)
	tree.Close()
	tree.Close()
	_, err = io.ReadAll(file)
	assert.NoError(t, err, "a file that is open stays open")
	assert.NoError(t, file.Close())
	_, err = tree.Stat("/data/file")
	assert.ErrorIs(t, err, fs.ErrClosed)
}

func TestTheProcessUsesItsOwnNames(t *testing.T) {
	d := newDisk(t)
	t.Chdir(d.inside)
	tree := treeOf(t, Process())
	got, err := content(tree, "file")
	require.NoError(t, err)
	assert.Equal(t, "inside", got)
	require.NoError(t, tree.Mkdir("made", 0o777))
	require.NoError(t, tree.Rename("made", "../renamed"))
	require.NoError(t, tree.Remove("../renamed"))
	entries, err := tree.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, entries, 2)
	_, err = tree.Lstat("file")
	require.NoError(t, err)
	_, err = content(tree, "none")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	file, err := tree.CreateTemp()
	require.NoError(t, err)
	assert.NoError(t, file.Close())
	assert.NoError(t, tree.Remove(file.Name()))
	dir, err := tree.HostPath("sub")
	require.NoError(t, err)
	assert.Equal(t, "sub", dir)
}

func TestAProcessGetsTheDirectoryOfTheSystem(t *testing.T) {
	d := newDisk(t)
	tree := treeOf(t, Access{Dirs: []Dir{{Host: d.inside, Guest: "/data"}}})
	dir, err := tree.HostPath("/data/sub")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(d.inside, "sub"), dir)
	dir, err = tree.HostPath("")
	require.NoError(t, err)
	assert.Empty(t, dir, "that of the process")
	dir, err = treeOf(t, Access{WorkDir: "/data/sub", Dirs: []Dir{{Host: d.inside, Guest: "/data"}}}).HostPath("")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(d.inside, "sub"), dir)
}

// Whatever a name is, what is read through it is a file of the directory.
func TestNoNameLeavesTheDirectory(t *testing.T) {
	d := newDisk(t)
	require.NoError(t, os.Symlink("..", filepath.Join(d.inside, "up")))
	tree := treeOf(t, Access{WorkDir: "/data/sub", Dirs: []Dir{{Host: d.inside, Guest: "/data"}}})
	parts := rapid.SampledFrom([]string{"..", ".", "", "data", "sub", "up", "file", "deep", "secret", "\\", "..\\", "\x00", "C:", "inside", "other", d.top})
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(parts, 1, 8).Draw(t, "parts"), "/")
		got, err := content(tree, name)
		if got == "secret" || got == "other" {
			t.Fatalf("%q leads to %q", name, got)
		}
		info, err2 := tree.Stat(name)
		if err2 == nil && info.Name() == "secret" {
			t.Fatalf("%q leads out (%v)", name, err)
		}
		if errors.Is(err, fs.ErrPermission) != errors.Is(err2, fs.ErrPermission) {
			t.Fatalf("%q: %v, but %v", name, err, err2)
		}
	})
}
