//go:build unix && !race

package escape_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
)

// target is a name for what lies outside. The file and the directory are names of the guest.
type target struct {
	name      string
	link, to  string // made before: a symbolic link, in the guest's directory
	file, dir string
}

func targets() []target {
	return []target{
		{name: "an absolute name", file: "BASE/secret", dir: "BASE/outside"},
		{name: "a relative name of the process", file: "../secret", dir: "../outside"},
		{name: "the parent", file: "/d/../secret", dir: "/d/../outside"},
		{name: "the parent of another directory", file: "/ro/../secret", dir: "/ro/../outside"},
		{name: "a way down and up", file: "/d/sub/../../secret", dir: "/d/sub/../../outside"},
		{name: "up to the top", file: "/d/../../../../../../../../../../../..BASE/secret", dir: "/d/../../../../../../../../../../../..BASE/outside"},
		{name: "more slashes", file: "//BASE//secret", dir: "/d//..//outside//"},
		{name: "the directory itself", file: "/d/./../secret", dir: "/d/sub/./../../outside/."},
		{name: "the process", file: "/proc/self/cwd/secret", dir: "/proc/self/cwd/outside"},
		{name: "the root of the process", file: "/proc/self/rootBASE/secret", dir: "/proc/self/rootBASE/outside"},
		{name: "an absolute link", link: "a", to: "BASE/secret", file: "/d/a", dir: "/d/a"},
		{name: "a link to the parent", link: "b", to: "../secret", file: "/d/b", dir: "/d/b"},
		{name: "an absolute link to a directory", link: "c", to: "BASE/outside", file: "/d/c/f", dir: "/d/c"},
		{name: "a link to a directory", link: "e", to: "../outside", file: "/d/e/f", dir: "/d/e/sub"},
		{name: "a link to what holds it", link: "g", to: "..", file: "/d/g/secret", dir: "/d/g/outside"},
		{name: "a link to the root", link: "h", to: "/", file: "/d/hBASE/secret", dir: "/d/hBASE/outside"},
		{name: "a link that leaves and returns", link: "i", to: "../inside/../outside", file: "/d/i/f", dir: "/d/i"},
		{name: "a link in a deeper directory", link: "sub/j", to: "../../outside", file: "/d/sub/j/f", dir: "/d/sub/j"},
		{name: "a link to a link", link: "k", to: "e", file: "/d/k/f", dir: "/d/k"},
		{name: "a link by the parent of a link", link: "l", to: "sub", file: "/d/l/../../secret", dir: "/d/l/../../outside"},
	}
}

// inLuaFiles are the operations of Lua on a file FILE and a directory DIR. Each prints what it has found.
var inLuaFiles = []string{
	`show(io.open, "FILE")`, `show(io.open, "FILE", "r+")`,
	`local f = io.open("FILE", "w") if f then f:write("x") f:close() end`,
	`local f = io.open("FILE", "a") if f then f:write("x") f:close() end`,
	`local f = io.open("DIR/new", "w") if f then f:write("x") f:close() end`,
	`show(io.lines, "FILE")`,
	`pcall(io.input, "FILE") print(io.read("*a"))`,
	`pcall(io.output, "FILE") io.write("x") io.close()`,
	`show(dofile, "FILE")`, `show(loadfile, "FILE")`,
	`package.path = "FILE" show(require, "m")`,
	`show(fs.read, "FILE")`, `show(fs.write, "FILE", "x")`, `show(fs.write, "DIR/new", "x")`,
	`show(fs.list, "DIR")`, `if pcall(function() assert(fs.stat("FILE")) end) then print("REACHED") end`,
	`os.remove("FILE")`, `os.remove("DIR/empty")`,
	`os.rename("FILE", "/d/stolen")`, `os.rename("/d/f", "DIR/f")`, `os.rename("DIR", "/d/stolen")`,
}

// inWasmFiles are those of a WASI program.
var inWasmFiles = []string{
	"read FILE", "write FILE x", "append FILE x", "truncate FILE", "stat FILE", "lstat FILE", "touch FILE",
	"ls DIR", "write DIR/new x", "create DIR/new x", "mkdir DIR/new", "rmdir DIR/empty", "rmall DIR", "symlink f DIR/l",
	"link FILE /d/stolen1", "mv FILE /d/stolen2", "mv /d/f DIR/f", "mv /d/sub DIR/made", "link /d/f DIR/linked", "mv DIR /d/stolen", "unlink FILE", "rm FILE",
}

func (f *fence) at(t target, op string) string {
	return f.with(strings.NewReplacer("FILE", t.file, "DIR", t.dir).Replace(op))
}

// link makes the links of the targets.
func (f *fence) link(t *testing.T) {
	t.Helper()
	for _, way := range targets() {
		if way.link != "" {
			require.NoError(t, os.Symlink(f.with(way.to), filepath.Join(f.inside, way.link)))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(f.base, "outside", secret), nil, 0o644)) // who lists it sees it
	require.NoError(t, os.Mkdir(filepath.Join(f.base, "outside/empty"), 0o755))
}

func accesses(f *fence) map[string]sandbox.Access {
	return map[string]sandbox.Access{"nothing": {}, "narrow": f.narrow()}
}

// The names lead outside, if nothing checks them.
func TestTheTargetsAreThere(t *testing.T) {
	f := newFence(t)
	f.link(t)
	for _, way := range targets() {
		name := f.with(way.file)
		if !strings.HasPrefix(name, f.base) && !strings.HasPrefix(name, "/proc") {
			name = strings.NewReplacer("/d/", f.inside+"/", "/ro/", f.readOnly+"/").Replace("/" + strings.TrimPrefix(name, "../"))
			if way.link == "" {
				continue
			}
		}
		if way.link == "l" {
			continue // ".." is a matter of the text of a name here
		}
		text, err := os.ReadFile(name)
		if strings.HasPrefix(name, "/proc") && os.IsNotExist(err) {
			continue // there is none on this system
		}
		require.NoError(t, err, way.name)
		require.Contains(t, string(text), secret)
	}
}

func TestFilesAreReachedByNoNameFromLua(t *testing.T) {
	for name := range accesses(newFence(t)) {
		t.Run(name, func(t *testing.T) {
			f := newFence(t)
			f.link(t)
			before := f.beyond(t)
			var text strings.Builder
			for _, way := range targets() {
				for _, op := range inLuaFiles {
					text.WriteString("pcall(function() " + f.at(way, op) + " end)\n")
				}
			}
			f.holds(t, before, inLua(t, accesses(f)[name], text.String()))
		})
	}
}

func TestFilesAreReachedByNoNameFromWebAssembly(t *testing.T) {
	for name := range accesses(newFence(t)) {
		t.Run(name, func(t *testing.T) {
			f := newFence(t)
			f.link(t)
			before := f.beyond(t)
			var ops []string
			for _, way := range targets() {
				for _, op := range inWasmFiles {
					ops = append(ops, f.at(way, op))
				}
			}
			out := inWasm(t, accesses(f)[name], "tree", ops...)
			f.holds(t, before, out)
		})
	}
}

// Each operation does reach what is allowed, so that the tests above try it.
func TestEachOperationOnFilesReachesWhatIsAllowed(t *testing.T) {
	all := target{file: "BASE/secret", dir: "BASE/outside"}
	for _, op := range inLuaFiles {
		f := newFence(t)
		f.link(t)
		before := f.beyond(t)
		out := inLua(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: "/"}, {Host: f.inside, Guest: "/d"}}}, "pcall(function() "+f.at(all, op)+" end)")
		if strings.Contains(op, `"/d/`) { // from one directory to another
			out = inLua(t, sandbox.Process(), "pcall(function() "+strings.ReplaceAll(f.at(all, op), `"/d/`, `"`+f.inside+"/")+" end)")
		}
		require.True(t, f.reached(t, before, out), "%s: %s", op, out)
	}
	for _, op := range inWasmFiles {
		f := newFence(t)
		f.link(t)
		before := f.beyond(t)
		out := inWasm(t, sandbox.Access{Dirs: []sandbox.Dir{{Host: "/"}}}, "tree", strings.ReplaceAll(f.at(all, op), "/d/", f.inside+"/"))
		require.True(t, f.reached(t, before, out) || !strings.Contains(out, "error"), "%s: %s", op, out)
	}
}

// The subset of Go has no files: its library declares nothing that opens one.
func TestGoProgramsHaveNoFiles(t *testing.T) {
	f := newFence(t)
	before := f.beyond(t)
	for _, call := range []string{
		`os.ReadFile("BASE/secret")`, `os.Open("BASE/secret")`, `os.OpenFile("BASE/secret", 0, 0)`, `os.WriteFile("BASE/new", nil, 0)`, `os.Create("BASE/new")`,
		`os.Remove("BASE/secret")`, `os.Rename("BASE/secret", "x")`, `os.Symlink("BASE/secret", "x")`, `os.Link("BASE/secret", "x")`, `os.Mkdir("BASE/new", 0)`,
		`os.ReadDir("BASE")`, `os.Stat("BASE/secret")`, `os.Chdir("BASE")`, `os.DirFS("BASE")`, `os.OpenRoot("BASE")`, `os.NewFile(3, "x")`, `os.Stdin.Read(nil)`, `os.Stdout.Fd()`,
		`os.StartProcess("BASE/program", nil, nil)`, `os.Hostname()`, `os.Getwd()`, `os.Environ()`,
	} {
		f.holds(t, before, mustRefuse(t, sandbox.Process(), "os", f.with(call)))
	}
	for _, pkg := range []string{"io/fs", "io/ioutil", "os/exec", "os/user", "path/filepath", "net", "net/http", "syscall", "unsafe", "C", "plugin", "runtime/debug", "embed", "reflect", "golang.org/x/sys/unix"} {
		f.holds(t, before, mustRefuse(t, sandbox.Process(), pkg, ""))
	}
}

func mustRefuse(t *testing.T, access sandbox.Access, imports, body string) string {
	t.Helper()
	out := inGo(t, access, imports, body)
	require.Contains(t, out, "refused: ", "%s %s", imports, body)
	return out
}
