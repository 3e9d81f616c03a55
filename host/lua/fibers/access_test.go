package fibers

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/wallclock"
)

// outside is what a guest must not reach.
type outside struct {
	dir, secret, changed string
	server               *httptest.Server
	hits                 atomic.Int32
}

func newOutside(t *testing.T) *outside {
	dir := t.TempDir()
	o := &outside{dir: dir, secret: filepath.Join(dir, "secret.lua"), changed: filepath.Join(dir, "changed")}
	require.NoError(t, os.WriteFile(o.secret, []byte("return 'TOP SECRET'"), 0o600))
	t.Setenv("LUA_SECRET", "TOP SECRET")
	o.server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { o.hits.Add(1) }))
	t.Cleanup(o.server.Close)
	return o
}

// ways are all ways of a program out of Lua. Each is an expression whose results must not have the secret.
func (o *outside) ways() map[string]string {
	return map[string]string{
		"io.open":             `io.open(SECRET):read("*a")`,
		"io.open to write":    `io.open(CHANGED, "w"):write("x")`,
		"io.open to append":   `io.open(SECRET, "a"):write("x")`,
		"io.lines":            `io.lines(SECRET)()`,
		"io.lines by number":  `io.lines(7)()`,
		"io.input":            `io.input(SECRET):read("*a")`,
		"io.output":           `io.output(CHANGED):write("x")`,
		"io.popen":            `io.popen("cat " .. SECRET):read("*a")`,
		"io.popen to write":   `io.popen("cat > " .. CHANGED, "w"):write("x")`,
		"io.tmpfile":          `io.tmpfile():write("x")`,
		"io.stdin":            `io.stdin:read("*a")`,
		"io.read":             `io.read("*a")`,
		"io.stdin to write":   `io.stdin:write("x")`,
		"io.stdout.seek":      `io.stdout:seek("set", 0)`,
		"io.stdin.seek":       `io.stdin:seek("set", 0)`,
		"os.execute":          `os.execute("echo x > " .. CHANGED)`,
		"os.getenv":           `os.getenv("LUA_SECRET")`,
		"os.remove":           `os.remove(SECRET)`,
		"os.rename":           `os.rename(SECRET, CHANGED)`,
		"os.tmpname":          `os.tmpname()`,
		"loadfile":            `loadfile(SECRET)()`,
		"loadfile of stdin":   `loadfile()()`,
		"dofile":              `dofile(SECRET)`,
		"dofile of stdin":     `dofile()`,
		"require":             `(function() package.path = DIR .. "/?.lua" return require("secret") end)()`,
		"package.loaders":     `(function() package.path = DIR .. "/?.lua" return package.loaders[2]("secret")() end)()`,
		"package.loaded":      `package.loaded.io.open(SECRET):read("*a")`,
		"package.loaded fs":   `package.loaded.fs.read(SECRET)`,
		"require io":          `require("io").open(SECRET):read("*a")`,
		"package.loadlib":     `package.loadlib(SECRET, "*")`,
		"fs.read":             `fs.read(SECRET)`,
		"fs.write":            `fs.write(CHANGED, "x")`,
		"fs.list":             `#fs.list(DIR) .. "TOP SECRET"`,
		"fs.stat":             `fs.stat(SECRET).size .. "TOP SECRET"`,
		"proc.run":            `proc.run{ "cat", SECRET }.stdout`,
		"proc.run by path":    `proc.run{ "/bin/sh", "-c", "echo x > " .. CHANGED }.code .. "TOP SECRET"`,
		"net.dial":            `tostring(net.dial(SERVER)) .. "TOP SECRET"`,
		"net.listen":          `tostring(net.listen("127.0.0.1:0")) .. "TOP SECRET"`,
		"net.lookup":          `net.lookup("localhost")[1] .. "TOP SECRET"`,
		"http.get":            `http.get("http://" .. SERVER).status .. "TOP SECRET"`,
		"http.request":        `http.request{ url = "http://" .. SERVER, stream = true }.status .. "TOP SECRET"`,
		"http.serve":          `tostring(http.serve("127.0.0.1:0", print)) .. "TOP SECRET"`,
		"debug.getupvalue":    `debug.getupvalue(io.lines, 2)(io.stdout)`,
		"getfenv":             `getfenv(require).io.open(SECRET):read("*a")`,
		"string.dump":         `loadstring(string.dump(function() return "TOP SECRET" end))()`,
		"binary":              `loadstring("\27Lua TOP SECRET")()`,
		"gopher-lua channels": `channel.make() and "TOP SECRET"`,
		"_printregs":          `_printregs() or "TOP SECRET"`,
	}
}

// Where the program tries a way: in a protected call of the main fiber, in another fiber, in a coroutine, in an
// island, and from code that is loaded.
func frames() map[string]string {
	return map[string]string{
		"main":      `print(pcall(function() return %s end))`,
		"fiber":     `print(fiber.spawn(function() return %s end):join())`,
		"coroutine": `print(coroutine.wrap(function() return pcall(function() return %s end) end)())`,
		"loaded":    `print(pcall(loadstring(%q)))`,
		"island":    `print(fiber.island():spawn(loadstring(%q)):join())`,
	}
}

func TestTheZeroConfigReachesNothing(t *testing.T) {
	o := newOutside(t)
	for place, frame := range frames() {
		for name, way := range o.ways() {
			t.Run(place+"/"+name, func(t *testing.T) {
				cfg := Config{}
				cfg.Runtime.Clock = wallclock.New() // virtual time has no network and no islands
				out := o.try(t, boxed(t, cfg), frame, way)
				assert.NotContains(t, out, "TOP SECRET\n")
				o.unchanged(t)
			})
		}
	}
}

// try runs a way in a frame, and returns what it has printed.
func (o *outside) try(t *testing.T, s *stage, frame, way string) string {
	t.Helper()
	way = strings.NewReplacer("SECRET)", "\""+o.secret+"\")", "SECRET,", "\""+o.secret+"\",", ".. SECRET", ".. \""+o.secret+"\"",
		"SECRET }", "\""+o.secret+"\" }", "CHANGED", "\""+o.changed+"\"", "DIR", "\""+o.dir+"\"", "SERVER", "\""+o.server.Listener.Addr().String()+"\"").Replace(way)
	if strings.Contains(frame, "%q") {
		way = "return " + way
	}
	require.NoError(t, s.try(fmt.Sprintf(frame, way)))
	return s.printed()
}

// unchanged checks that nothing outside has been changed.
func (o *outside) unchanged(t *testing.T) {
	t.Helper()
	assert.NoFileExists(t, o.changed)
	text, err := os.ReadFile(o.secret)
	assert.NoError(t, err)
	assert.Equal(t, "return 'TOP SECRET'", string(text))
	assert.Zero(t, o.hits.Load())
}

// The test above finds a way that is open.
func TestTheProcessReachesWhatTheZeroConfigDoesNot(t *testing.T) {
	o := newOutside(t)
	for _, name := range []string{"io.open", "io.lines", "io.popen", "os.getenv", "loadfile", "dofile", "require", "package.loaded", "fs.read", "fs.list", "proc.run", "net.dial", "net.lookup"} {
		cfg := Config{}
		cfg.Runtime.Clock = wallclock.New()
		assert.Contains(t, o.try(t, set(t, cfg), frames()["main"], o.ways()[name]), "TOP SECRET", name)
	}
}

func TestTheOutputOfTheZeroConfigIsDiscarded(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = write, write
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	h := New(Config{})
	defer h.Close()
	_, err = h.Run(t.Context(), strings.NewReader(`print("x") io.write("x") io.stdout:write("x") io.stderr:write("x") io.stdout:setvbuf("full") io.stdout:write("x") io.stdout:flush() io.flush()
		io.output():write("x") io.stdout:close() io.stderr:close() io.stdin:close()`), "p.lua")
	require.NoError(t, err)
	_, err = write.WriteString("open")
	require.NoError(t, err, "the program does not close a file of the process")
	require.NoError(t, write.Close())
	text, err := io.ReadAll(read)
	require.NoError(t, err)
	assert.Equal(t, "open", string(text))
}

func TestTheStandardInputIsThatOfTheAccess(t *testing.T) {
	s := boxed(t, Config{Access: sandbox.Access{Stdin: strings.NewReader("one\nreturn 'two'")}})
	s.play(`print(io.stdin, io.type(io.stdin), io.read()) print(loadfile()()) print(io.read()) io.stdin:close() print(io.type(io.stdin), pcall(io.read))`)
	assert.Equal(t, "file\tfile\tone\ntwo\nnil\nclosed file\tfalse\tp.lua:1: the file is closed\n", s.printed())
}

func TestFilesAreThoseOfTheDirectoriesOfTheAccess(t *testing.T) {
	o, dir := newOutside(t), t.TempDir()
	require.NoError(t, os.Symlink(o.secret, filepath.Join(dir, "link.lua")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mod.lua"), []byte("return ..."), 0o600))
	s := boxed(t, Config{Access: sandbox.Access{WorkDir: "/work", Dirs: []sandbox.Dir{{Host: dir, Guest: "/work"}, {Host: o.dir, Guest: "/ro", ReadOnly: true}}}})
	s.play(`
		print(require("mod"), dofile("mod.lua"), loadfile("/work/mod.lua")(1))
		print(select(2, pcall(require, "link")):find("a symbolic link leads out of the directory", 1, true) ~= nil)
		print(io.open("link.lua"))
		print(io.open("../ro/secret.lua"):read("*a"))
		print(io.open("/ro/secret.lua", "a"))
		print(os.remove("/ro/secret.lua"))
		print(os.rename("mod.lua", "/ro/mod.lua"))
		print(os.rename("mod.lua", "moved.lua"), fs.stat("moved.lua").size)
		local name = os.tmpname()
		print(name:match("^/work/tmp%-%x+$") == name, fs.list("/work")[1])
		local temp = io.tmpfile()
		temp:write("temporary") temp:seek("set")
		print(temp:read("*a"), #fs.list("."))
		print(io.lines("moved.lua")())`)
	assert.Equal(t, strings.Join([]string{
		"mod\tnil\t1",
		"true",
		"nil\topen link.lua: not allowed in this sandbox (a symbolic link leads out of the directory); Access.Dirs allows it\t1",
		"return 'TOP SECRET'",
		"nil\twrite /ro/secret.lua: not allowed in this sandbox (the directory is read only); Access.Dirs allows it\t1",
		"nil\twrite /ro/secret.lua: not allowed in this sandbox (the directory is read only); Access.Dirs allows it",
		"nil\twrite /ro/mod.lua: not allowed in this sandbox (the directory is read only); Access.Dirs allows it",
		"true\t10",
		"true\tlink.lua",
		"temporary\t2",
		"return ...",
	}, "\n")+"\n", s.printed())
	o.unchanged(t)
}

func TestTheEnvironmentIsThatOfTheAccess(t *testing.T) {
	t.Setenv("LUA_PATH", "/of/the/process/?.lua")
	t.Setenv("OUTSIDE", "x")
	access := sandbox.Access{Env: []string{"A=1", "B=2", "A=3", "LUA_PATH=/own/?.lua;;"}, Programs: []string{"sh"}}
	s := boxed(t, Config{Access: access})
	s.play(`
		print(os.getenv("A"), os.getenv("B"), os.getenv("C"), os.getenv("OUTSIDE"))
		print(os.setenv("C", "4"), os.setenv("B", "5"), os.setenv("x=y", "1"))
		print(os.getenv("A"), os.getenv("B"), os.getenv("C"))
		local script = "echo $A $B $C $D $OUTSIDE"
		io.write(proc.run{ "sh", "-c", script }.stdout, proc.run{ "sh", "-c", script, env = { D = "6" } }.stdout, io.popen(script):read("*a"))
		os.execute(script)
		print(package.path:sub(1, 14))`)
	assert.Equal(t, "3\t2\tnil\tnil\ntrue\ttrue\tnil\tsetenv: invalid argument\n3\t5\t4\n3 5 4\n3 5 4 6\n3 5 4\n3 5 4\n/own/?.lua;./?\n", s.printed())
	assert.Equal(t, []string{"A=1", "B=2", "A=3", "LUA_PATH=/own/?.lua;;"}, access.Env)
	assert.Empty(t, os.Getenv("C"))
}

func TestTheClockIsThatOfTheAccess(t *testing.T) {
	program := `print(os.time(), os.date("!%X"), os.date("%Z"), os.clock()) fiber.sleep(90) print(os.time(), os.date("!%X"), os.clock())`
	s := boxed(t, Config{})
	s.play(program)
	assert.Equal(t, "0\t00:00:00\tUTC\t0\n90\t00:01:30\t90\n", s.printed())
	s.play("print(os.time())")
	assert.Equal(t, "90\n", s.printed(), "the time of the next run goes on")
	s = boxed(t, Config{Access: sandbox.Access{Start: time.Date(2031, 2, 3, 4, 5, 6, 0, time.FixedZone("east", 3600))}})
	s.play(program)
	assert.Equal(t, "1927854306\t03:05:06\teast\t0\n1927854396\t03:06:36\t90\n", s.printed())
	s = set(t, Config{})
	s.play("print(os.time())")
	var now int64
	_, err := fmt.Sscan(s.printed(), &now)
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), time.Unix(now, 0), time.Hour)
}

// The clock of an island goes on from that of the island that has made it.
func TestAnIslandHasTheClockAndTheEnvironmentOfItsMaker(t *testing.T) {
	cfg := Config{Access: sandbox.Access{Start: time.Unix(1_000_000, 0), Env: []string{"A=1"}}}
	cfg.Runtime.Clock = wallclock.New()
	s := boxed(t, cfg)
	s.play(`
		os.setenv("B", "2")
		local a, b, time, exit = select(2, fiber.island():spawn(function() return os.getenv("A"), os.getenv("B"), os.time() end):join())
		print(a, b, time >= 1000000 and time <= os.time())`)
	assert.Equal(t, "1\t2\ttrue\n", s.printed())
}

func TestRandomNumbersAreThoseOfTheAccess(t *testing.T) {
	program := "print(math.random(1000000), math.random(1000000))"
	numbers := func(a sandbox.Access) string {
		s := boxed(t, Config{Access: a})
		s.play(program)
		return s.printed()
	}
	fixed := numbers(sandbox.Access{})
	assert.Equal(t, fixed, numbers(sandbox.Access{}))
	assert.Equal(t, numbers(sandbox.Access{Random: strings.NewReader("12345678")}), numbers(sandbox.Access{Random: strings.NewReader("12345678")}))
	assert.NotEqual(t, fixed, numbers(sandbox.Access{Random: strings.NewReader("12345678")}))
}

func TestTheNetworkIsThatOfTheAccess(t *testing.T) {
	o := newOutside(t)
	cfg := Config{Access: sandbox.Access{Dial: []string{o.server.Listener.Addr().String()}, Listen: []string{"localhost:*"}}}
	cfg.Runtime.Clock = wallclock.New()
	_, port, err := net.SplitHostPort(o.server.Listener.Addr().String())
	require.NoError(t, err)
	s := boxed(t, cfg)
	s.play(`
		print(http.get("http://127.0.0.1:` + port + `").status)
		print(pcall(http.get, "http://127.0.0.2:` + port + `"))
		print(pcall(net.dial, "[::1]:` + port + `"))
		print(pcall(net.listen, ":0"))
		net.listen("localhost:0"):close()`)
	text := s.printed()
	assert.True(t, strings.HasPrefix(text, "200\nfalse\t"), text)
	assert.Equal(t, 3, strings.Count(text, "not allowed in this sandbox"), text)
}

func TestLuaCodeOfTheHostItselfObeysTheAccess(t *testing.T) {
	o := newOutside(t)
	s := boxed(t, Config{})
	for name, way := range o.ways() {
		base := s.State().Base()
		err := base.DoString(strings.NewReplacer("SECRET", "\""+o.secret+"\"", "CHANGED", "\""+o.changed+"\"", "DIR", "\""+o.dir+"\"").Replace("result = " + way))
		assert.NotEqual(t, "TOP SECRET", base.GetGlobal("result").String(), "%s: %v", name, err)
		base.SetTop(0)
	}
	o.unchanged(t)
}

func TestAnAccessWithAnEntryWithoutAMeaningIsRefused(t *testing.T) {
	assert.PanicsWithValue(t, `fibers: Config.Access: sandbox: Access.Dial: "x": has no port; write x:443, or x:* for every port; call Access.Check first if the entry comes from outside: rule VALID-ARGUMENT (docs/invariants.md#valid-argument)`, func() { New(Config{Access: sandbox.Access{Dial: []string{"x"}}}) })
}
