//go:build unix && !race

package escape_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
)

// way is a way out of a program that is none to a file by its name. Each column is what a program of the
// language does, or, behind "none: ", why it has no such way.
type way struct {
	name              string
	lua, wasm, minigo string
	wide              func(*fence) sandbox.Access // with which the way leads somewhere; nil: none does
}

const (
	noProcesses = "none: WASI starts no processes"
	noSockets   = "none: WASI preview 1 opens no sockets"
	noPackage   = "none: the subset has no such package; see TestGoProgramsHaveNoFiles"
)

func process(*fence) sandbox.Access { return sandbox.Process() }

func environment(*fence) sandbox.Access {
	return sandbox.Access{Env: []string{variable + "=" + secret}}
}

func ways() []way {
	return []way{
		{"a variable of the environment", `print(os.getenv("VARIABLE"))`, "env VARIABLE", `os: print(os.Getenv("VARIABLE"))`, environment},
		{"all of the environment", `for _, v in ipairs{ "PATH", "HOME", "VARIABLE" } do print(os.getenv(v)) end`, "env VARIABLE", `os: for _, n := range []string{"PATH", "VARIABLE"} { v, _ := os.LookupEnv(n); print(v) }`, environment},
		{"the clock", `if os.time() > 1e9 then print("REACHED") end`, "none: it prints the time, which TestTheClockIsTheAccess looks at", `time: if time.Now().Unix() > 1e9 { println("REACHED") }`,
			func(*fence) sandbox.Access { return sandbox.Access{Start: time.Now()} }},
		{"the standard input", `print(io.read("*a"))`, "upper", "none: the subset has no input", func(*fence) sandbox.Access { return sandbox.Access{Stdin: strings.NewReader(secret)} }},
		{"a program by its path", `show(proc.run, { "BASE/program" })`, noProcesses, noPackage, process},
		{"a program by a relative path", `show(proc.run, { "./program" })`, noProcesses, noPackage, process},
		{"a program by PATH", `show(proc.run, { "program", env = { PATH = "BASE" } })`, noProcesses, noPackage, nil},
		{"a shell", `show(proc.run, { "sh", "-c", "BASE/program" })`, noProcesses, noPackage, process},
		{"a shell by its path", `show(proc.run, { "/bin/sh", "-c", "BASE/program" })`, noProcesses, noPackage, process},
		{"a shell by a longer path", `show(proc.run, { "/bin/../bin/sh", "-c", "BASE/program" })`, noProcesses, noPackage, process},
		{"os.execute", `print(os.execute("BASE/program"))`, noProcesses, noPackage, process},
		{"os.execute of an allowed program", `print(os.execute("true; BASE/program"))`, noProcesses, noPackage, process},
		{"io.popen", `show(io.popen, "BASE/program")`, noProcesses, noPackage, process},
		{"io.popen to write", `local p = io.popen("cat > BASE/new", "w") p:write("x") p:close()`, noProcesses, noPackage, process},
		{"a program with the name of an allowed one", `show(proc.run, { "BASE/inside/true" }) show(proc.run, { "/d/true" }) show(proc.run, { "./true" })`, noProcesses, noPackage, process},
		{"an allowed program elsewhere", `show(proc.run, { "true", dir = "/" }) show(proc.run, { "true", dir = "/d" })`, noProcesses, noPackage, nil},
		{"the directory of a program", `show(proc.run, { "ls", dir = "BASE/outside" })`, noProcesses, noPackage, process},
		{"the loader of modules", `package.path = "BASE/?.lua" show(require, "secret") package.path = "BASE/?" show(require, "secret.lua")`, noProcesses, noPackage, process},
		{"the loader of an island", `local done = fiber.port() fiber.island():spawn(function() print(pcall(dofile, "BASE/secret.lua")) end):join()`, noProcesses, noPackage, process},
		{"the loader of native libraries", `show(package.loadlib, "BASE/program", "*") show(require, "ffi") show(require, "syscall")`, "none: a module imports only what its host defines", noPackage, nil},
		{"an HTTP request to a file", `show(http.get, "file://BASE/secret")`, noSockets, noPackage, nil},
		{"HTTP by a proxy of the environment", `show(http.get, "http://public.invalid/", 5)`, noSockets, noPackage, nil},
	}
}

// addresses are names of the loopback interface. The first ones are understood by every system.
var addresses = []string{
	"127.0.0.1", "localhost", "LOCALHOST", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
	"", "0.0.0.0", "[::]", "localhost.", "[::1]", "[0:0:0:0:0:0:0:1]", "[::1%lo]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "127.1", "127.0.1", "0", "2130706433", "0x7f000001", "0x7f.0.0.1",
	"0177.0.0.1", "017700000001", "127.0.0.1.", "127.0.0.01", "ip6-localhost", "ip6-loopback", "localhost.localdomain", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.1%00.example.com",
}

// understood is how many of the addresses every system understands.
const understood = 5

// connections are the operations of Lua on an address.
func connections(address string) (all []string) {
	to := address + ":PORT"
	for _, op := range []string{
		`show(net.dial, "TO")`, `show(net.dial, "TO", { tls = true })`, `show(http.get, "http://TO/")`, `show(http.get, "https://TO/")`,
		`show(http.request, { url = "http://TO/", method = "POST", body = "x" })`, `show(http.get, "http://user:pw@TO/")`, `show(http.get, "http://public.example@TO/")`,
		`show(http.get, "http://127.0.0.1:REDIRECT/http://TO/")`, `show(http.get, "http://127.0.0.1:REDIRECT/http://user@TO/")`,
	} {
		all = append(all, strings.ReplaceAll(op, "TO", to))
	}
	return all
}

// listeners are operations of Lua that open a port.
var listeners = []string{`net.listen("127.0.0.1:0")`, `net.listen("0.0.0.0:0")`, `net.listen(":0")`, `net.listen("[::1]:0")`, `net.listen("localhost:0")`, `http.serve("127.0.0.1:0", print)`, `http.serve(":0", print)`}

// redirects is a server that is allowed, and redirects to what its path says.
func (f *fence) redirects(t *testing.T) (port string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.TrimPrefix(r.URL.Path, "/"), http.StatusFound)
	}))
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// Each way, under an Access that allows nothing and under a narrow one.
func TestNoWayLeadsOut(t *testing.T) {
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			for name := range accesses(newFence(t)) {
				f := newFence(t)
				f.decoy(t)
				before := f.beyond(t)
				for _, out := range w.try(t, f, accesses(f)[name]) {
					f.holds(t, before, out)
				}
			}
		})
	}
}

func TestEachWayLeadsSomewhereIfItIsAllowed(t *testing.T) {
	for _, w := range ways() {
		if w.wide == nil {
			continue
		}
		t.Run(w.name, func(t *testing.T) {
			for column := range 3 {
				f := newFence(t)
				f.decoy(t)
				before := f.beyond(t)
				one := w
				for i, code := range []*string{&one.lua, &one.wasm, &one.minigo} {
					if i != column {
						*code = "none: "
					}
				}
				for _, out := range one.try(t, f, w.wide(f)) {
					require.True(t, f.reached(t, before, out) || strings.Contains(out, "TOP"), out)
				}
			}
		})
	}
}

// decoy is a program in the guest's directory that has the name of one that is allowed.
func (f *fence) decoy(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.base, "program"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(f.inside, "true"), text, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(f.base, "outside", secret), nil, 0o644))
}

// try takes the way from each language that has it.
func (w way) try(t *testing.T, f *fence, access sandbox.Access) (outs []string) {
	t.Helper()
	if !strings.HasPrefix(w.lua, "none: ") {
		outs = append(outs, inLua(t, access, f.with(w.lua)))
	}
	if !strings.HasPrefix(w.wasm, "none: ") {
		outs = append(outs, inWasm(t, access, "command", strings.Fields(f.with(w.wasm))...))
	}
	if !strings.HasPrefix(w.minigo, "none: ") {
		pkg, body, _ := strings.Cut(f.with(w.minigo), ": ")
		out := inGo(t, access, pkg, body)
		require.NotContains(t, out, "refused", w.name)
		outs = append(outs, out)
	}
	return outs
}

func TestNoFormOfAnAddressLeadsToTheLoopback(t *testing.T) {
	for name := range accesses(newFence(t)) {
		f := newFence(t)
		access := accesses(f)[name]
		redirect := f.redirects(t)
		if name == "narrow" {
			access.Dial = append(access.Dial, "127.0.0.1:"+redirect)
		}
		before := f.beyond(t)
		var text strings.Builder
		for _, address := range addresses {
			for _, op := range connections(address) {
				text.WriteString("tasks[#tasks + 1] = fiber.spawn(function() " + strings.ReplaceAll(f.with(op), "REDIRECT", redirect) + " end)\n")
			}
		}
		for _, op := range listeners {
			text.WriteString("if pcall(function() assert(" + op + ") end) then print('REACHED') end\n")
		}
		f.holds(t, before, inLua(t, access, "local tasks = {}\n"+text.String()+"for _, t in ipairs(tasks) do t:join(20) end"))
	}
}

func TestEachFormOfAConnectionReachesWhatIsAllowed(t *testing.T) {
	f := newFence(t)
	redirect := f.redirects(t)
	wide := sandbox.Access{Dial: []string{"127.0.0.0/8:*", "[::1]:*", "localhost:*"}, Listen: []string{"*:*"}}
	for _, address := range addresses[:understood] {
		for _, op := range connections(address) {
			seen := len(f.visits)
			out := inLua(t, wide, strings.ReplaceAll(f.with(op), "REDIRECT", redirect))
			require.Greater(t, len(f.visits), seen, "%s: %s", op, out)
		}
	}
	for _, op := range listeners[:3] {
		require.Contains(t, inLua(t, wide, "assert("+op+"):close() print('opened')"), "opened", op)
	}
}

// os.exit ends the program. What is checked is that this process lives.
func TestAnExitEndsTheProgramOnly(t *testing.T) {
	for _, access := range []sandbox.Access{{}, sandbox.Process()} {
		require.Contains(t, inLua(t, access, "os.exit(3) print('REACHED')"), "3")
		require.NotContains(t, inLua(t, access, "os.exit(0) print('REACHED')"), "REACHED")
		require.NotContains(t, inLua(t, access, "fiber.spawn(os.exit, 0) fiber.sleep(10) print('REACHED')"), "REACHED")
		require.Equal(t, "3 <nil>", inWasm(t, access, "command", "exit", "3"))
		require.Contains(t, inGo(t, access, "os", "os.Exit(3)"), "3")
	}
}

func TestTheClockIsTheAccess(t *testing.T) {
	out := inWasm(t, sandbox.Access{}, "command", "time")
	require.True(t, strings.HasPrefix(out, "1970-01-01T00:00:00Z\n"), out)
}

// A program that may be run has the environment of the Access, and not that of the process.
func TestAnAllowedProgramHasTheEnvironmentOfTheAccess(t *testing.T) {
	newFence(t)
	out := inLua(t, sandbox.Access{Programs: []string{"env"}, Env: []string{"PUBLIC=1"}}, `print(proc.run{ "env" }.stdout) print(proc.run{ "env", env = { MORE = "2" } }.stdout)`)
	require.Contains(t, out, "PUBLIC=1")
	require.NotContains(t, out, secret)
}

// What a sandbox does not prevent, so that no page says that it does: a hard link that the process has
// made in a directory of the guest is a file of that directory.
func TestAHardLinkOfTheProcessIsReached(t *testing.T) {
	f := newFence(t)
	require.NoError(t, os.Link(filepath.Join(f.base, "secret"), filepath.Join(f.inside, "hard")))
	require.Contains(t, inLua(t, f.narrow(), `print(io.open("/d/hard"):read("*a"))`), secret)
	require.Contains(t, inWasm(t, f.narrow(), "tree", "read /d/hard"), secret)
}

// Names that are exchanged while a program uses them: at no time does one lead outside.
func TestALinkThatIsMadeDuringAnOpenLeadsNowhere(t *testing.T) {
	f := newFence(t)
	require.NoError(t, os.WriteFile(filepath.Join(f.inside, "sub", "f"), []byte("public"), 0o644))
	require.NoError(t, os.Symlink("../outside", filepath.Join(f.inside, "spare")))
	before := f.beyond(t)
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- f.exchange(stop) }()
	out := inLua(t, f.narrow(), `for i = 1, 5000 do local h = io.open("/d/sub/f") if h then print(h:read("*a")) h:close() end pcall(fs.write, "/d/sub/new", "x") end`)
	out += inWasm(t, f.narrow(), "tree", "again", strings.Repeat("x", 5000), "/d/sub/f")
	close(stop)
	require.NoError(t, <-stopped)
	require.Contains(t, out, "public")
	f.holds(t, before, out)
}

// exchange swaps a directory and a link that leads outside, over and over.
func (f *fence) exchange(stop chan struct{}) error {
	name, spare, third := filepath.Join(f.inside, "sub"), filepath.Join(f.inside, "spare"), filepath.Join(f.inside, "third")
	for {
		for _, step := range [][2]string{{name, third}, {spare, name}, {third, spare}} {
			if err := os.Rename(step[0], step[1]); err != nil {
				return err
			}
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

// The links that a program can make: WASI's symlink and link. Lua and the subset of Go make none.
func TestALinkThatTheProgramMakesLeadsNowhere(t *testing.T) {
	f := newFence(t)
	before := f.beyond(t)
	out := inWasm(t, f.narrow(), "tree", f.with("symlink BASE/secret /d/a"), "read /d/a", "symlink ../secret /d/b", "read /d/b", "write /d/b x", "link /d/b /d/c", "read /d/c",
		"symlink ../outside /d/e", "read /d/e/f", "write /d/e/new x", "ls /d/e", "mv /d/e /d/sub/e", "read /d/sub/e/f", "mv /d/f /d/e/f", "link ../secret /d/g", "link /ro/f /d/h", "write /ro/f x", "mv /ro/f /d/i", "rm /ro/f", "symlink x /ro/x")
	f.holds(t, before, out)
	require.Contains(t, inLua(t, f.narrow(), `print(os.symlink, os.link, fs.symlink, fs.link, io.symlink)`), "nil\tnil\tnil\tnil\tnil")
}
