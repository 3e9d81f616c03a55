package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/sandbox"
)

// allowedBy are the directories that flags allow, with the names relative to the working directory.
func allowedBy(t *testing.T, f accessFlags) []sandbox.Dir {
	t.Helper()
	a, err := f.access()
	if err != nil {
		t.Fatal(err)
	}
	return a.Dirs
}

func inNewFolder(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

func TestWithoutFlagsAProgramReachesWhatTheProcessDoes(t *testing.T) {
	inNewFolder(t, "data")
	for _, f := range []accessFlags{{}, {Dir: []string{"data:/d"}}} {
		if a, err := f.access(); err != nil || !a.Unrestricted() {
			t.Errorf("%+v: %+v, %v", f, a, err)
		}
	}
}

func TestEachOfTheAllowFlagsImpliesTheSandbox(t *testing.T) {
	inNewFolder(t, "data")
	t.Setenv("SET", "a=b")
	for _, f := range []accessFlags{
		{Sandbox: true}, {AllowRead: []string{"data"}}, {AllowWrite: []string{"data"}}, {AllowNet: []string{"localhost:80"}},
		{AllowRun: []string{"sh"}}, {AllowEnv: []string{"SET", "UNSET_HERE"}},
	} {
		a, err := f.access()
		if err != nil || a.Unrestricted() {
			t.Errorf("%+v: %+v, %v", f, a, err)
		}
		if got := len(a.Dirs) + len(a.Dial) + len(a.Programs) + len(a.Env); f.Sandbox != (got == 0) || got > 1 {
			t.Errorf("%+v allows %+v", f, a)
		}
	}
}

// What may be changed may be so by each of its names, and a directory inside of one that the program
// may change is no directory of its own: the program could put a link in its place.
func TestTheDirectoriesThatFlagsAllow(t *testing.T) {
	at := inNewFolder(t, "a/in", "ab", "b")
	if err := os.Symlink("a", "link"); err != nil {
		t.Fatal(err)
	}
	dir := func(host, guest string, readOnly bool) sandbox.Dir {
		return sandbox.Dir{Host: filepath.Join(at, host), Guest: guest, ReadOnly: readOnly}
	}
	for name, c := range map[string]struct {
		flags accessFlags
		want  []sandbox.Dir
	}{
		"one to read":             {accessFlags{AllowRead: []string{"a"}}, []sandbox.Dir{dir("a", at+"/a", true)}},
		"by its absolute name":    {accessFlags{AllowRead: []string{at + "/a"}}, []sandbox.Dir{dir("a", at+"/a", true)}},
		"by a link":               {accessFlags{AllowRead: []string{"link"}}, []sandbox.Dir{dir("a", at+"/link", true)}},
		"to read and to write":    {accessFlags{AllowRead: []string{"a"}, AllowWrite: []string{"a"}}, []sandbox.Dir{dir("a", at+"/a", false)}},
		"to write by a link":      {accessFlags{AllowRead: []string{"a"}, AllowWrite: []string{"link"}}, []sandbox.Dir{dir("a", at+"/link", false)}},
		"to read in one to write": {accessFlags{AllowRead: []string{"a/in"}, AllowWrite: []string{"a"}}, []sandbox.Dir{dir("a", at+"/a", false)}},
		"to write in one to read": {accessFlags{AllowRead: []string{"."}, AllowWrite: []string{"a/in"}}, []sandbox.Dir{dir("a/in", at+"/a/in", false), dir("", at, true)}},
		"beside each other":       {accessFlags{AllowRead: []string{"ab"}, AllowWrite: []string{"a"}}, []sandbox.Dir{dir("a", at+"/a", false), dir("ab", at+"/ab", true)}},
		"mapped":                  {accessFlags{Dir: []string{"a", "b:/b", "ab:/c:ro"}}, []sandbox.Dir{dir("a", at+"/a", false), dir("b", "/b", false), dir("ab", "/c", true)}},
		"mapped in one to read":   {accessFlags{Dir: []string{"a:/a:ro", "a/in:/in"}}, []sandbox.Dir{dir("a", "/a", true), dir("a/in", "/in", false)}},
		"mapped twice":            {accessFlags{Dir: []string{"a:/a", "a:/b:ro"}}, []sandbox.Dir{dir("a", "/a", false), dir("a", "/b", true)}},
	} {
		if got := allowedBy(t, c.flags); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAWebAssemblyProgramHasRelativeNamesToo(t *testing.T) {
	at := inNewFolder(t, "a", "b")
	dirs := allowedBy(t, accessFlags{AllowRead: []string{"a", ".", "/"}})
	a := withRelativeNames(sandbox.Access{WorkDir: at, Dirs: dirs})
	var names []string
	for _, d := range a.Dirs {
		names = append(names, d.Guest)
	}
	if want := []string{at + "/a", at, "/", "a", "."}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestFlagsOfTheSandboxThatMakeNoSenseAreRefused(t *testing.T) {
	inNewFolder(t, "a/in")
	for name, text := range map[string]string{"p.lua": "", "p.go": "package main\nfunc main() {}", "p.wasm": ""} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"--allow-read none p.lua":            "--allow-read none: none is no directory",
		"--allow-write p.lua p.lua":          "--allow-write p.lua: p.lua is no directory",
		"--allow-run no-such-program p.lua":  `--allow-run "no-such-program": want a program, as a path or as a name in PATH: `,
		"--allow-env A=b p.lua":              `--allow-env "A=b": want the name of a variable`,
		"--allow-net localhost p.lua":        `--allow-net "localhost": `,
		"--allow-net localhost:http p.lua":   `--allow-net "localhost:http": `,
		"--allow-net http://a.b:80 p.lua":    `--allow-net "http://a.b:80": `,
		"--allow-net ::1:80 p.lua":           `--allow-net "::1:80": `,
		"--allow-net 127.1:80 p.lua":         `--allow-net "127.1:80": `,
		"--allow-net *.example.com:80 p.lua": `--allow-net "*.example.com:80": `,
		"--dir a:ro p.wasm":                  "--dir a:ro: want HOST:GUEST:ro, such as a:a:ro",
		"--dir a:/a:rw p.wasm":               "--dir a:/a:rw: want HOST, HOST:GUEST or HOST:GUEST:ro",
		"--dir a:b:c:d p.wasm":               "--dir a:b:c:d: want HOST, HOST:GUEST or HOST:GUEST:ro",
		"--dir a: p.wasm":                    "--dir a:: want HOST, HOST:GUEST or HOST:GUEST:ro",
		"--dir a:/a --dir a/in:/in p.wasm":   "the program may change it as a part of ",
		"--allow-write a --dir a/in p.wasm":  "the program may change it as a part of ",
		"--dir a:/d --dir a:/d p.wasm":       `--dir, --allow-read, --allow-write: "/d": two directories have this name`,
		"--dir a p.lua":                      "--dir: it is for WebAssembly programs; for a Lua program give --allow-read DIR or --allow-write DIR",
		"--allow-read a p.go":                "Go programs have no files here",
		"--dir a p.go":                       "Go programs have no files here",
		"--allow-net a.b:80 p.wasm":          "only Lua programs have sockets and run programs",
		"--allow-run sh p.go":                "only Lua programs have sockets and run programs",
	} {
		selvage(t, append([]string{"run"}, strings.Fields(line)...)...).want(t, statusUsage, want)
	}
}

func TestAGoProgramInTheSandboxHasTheVariablesThatAreAllowed(t *testing.T) {
	files{"p.go": `package main

import (
	"fmt"
	"os"
)

func main() { fmt.Println(os.Getenv("ONE"), os.Getenv("TWO")) }
`}.write(t)
	t.Setenv("ONE", "1")
	t.Setenv("TWO", "2")
	for flags, want := range map[string]string{"": "1 2\n", "--sandbox": " \n", "--allow-env TWO": " 2\n", "--allow-env TWO --allow-env ONE": "1 2\n"} {
		e := selvage(t, append(append([]string{"run"}, strings.Fields(flags)...), "p.go")...)
		e.want(t, statusDone)
		e.wantOut(t, want)
	}
}

// The program exits with 0 if it has a first directory, and with 8 if not.
func TestAWebAssemblyProgramInTheSandboxHasTheDirectoriesThatAreAllowed(t *testing.T) {
	const first = "func _start () export i32.const 3 i32.const 8 call prestat call exit end"
	wasmGuest(t, first, "--sandbox").want(t, 8)
	wasmGuest(t, first, "--allow-read", ".").want(t, 0)
	wasmGuest(t, first, "--allow-write", ".").want(t, 0)
	wasmGuest(t, first, "--sandbox", "--dir", ".:/d:ro").want(t, 0)
}
