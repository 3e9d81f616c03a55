package fibers

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/wallclock"
)

// real is a Config with real time, which the network needs.
func real(budget int) Config {
	cfg := slice(budget)
	cfg.Runtime.Clock = wallclock.New()
	return cfg
}

// outdoors runs a program with several budgets, and compares its output.
func outdoors(t *testing.T, program, want string) {
	t.Helper()
	for _, budget := range budgets() {
		t.Run(fmt.Sprint("slice ", budget), func(t *testing.T) {
			s := set(t, real(budget))
			s.play(program)
			require.Equal(t, want, s.printed())
		})
	}
}

func TestFibersTalkOverConnections(t *testing.T) {
	outdoors(t, `
		local l = net.listen("127.0.0.1:0")
		fiber.spawn(function()
			for c in l:iter() do
				fiber.spawn(function()
					for line in c:lines() do c:write(line:upper() .. "\n") end
					c:close()
				end)
			end
		end)
		local c = net.dial(l:addr(), 5)
		c:write("one\ntwo\nthree")
		c:close_write()
		print(c:read("*l"), c:read(2), c:read("*l"), c:read("*a"), c:read(), c:read("*l"), c:read("*a"))
		c:close() c:close()
		print(tostring(c):match("^conn: 127.0.0.1:%d+$") ~= nil, tostring(l) == "listener: " .. l:addr(), c:remote_addr() == l:addr(), c:local_addr() ~= nil)
		l:close() l:close()`,
		"ONE\tTW\tO\tTHREE\n\tnil\tnil\t\ntrue\ttrue\ttrue\ttrue\n")
}

func TestWaitsForTheWorldHaveTimeouts(t *testing.T) {
	outdoors(t, `
		local l = net.listen("127.0.0.1:0")
		print(l:accept(0.001))
		local c = net.dial(l:addr())
		local peer = l:accept()
		print(c:read("*l", 0.001))
		peer:write("half")
		print(c:read("*l", 0.001))
		peer:write(" a line\nand more")
		print(c:read("*l", 5))
		print(c:read(3, 5), c:read(), pcall(c.read, c, "*x"))
		print(proc.run{ "sleep", "100", timeout = 0.001 })`,
		"nil\ttimeout\nnil\ttimeout\nnil\ttimeout\nhalf a line\nand\t more\tfalse\t"+
			"p.lua:11: bad argument #2 to (anonymous) (what to read: *x; want \"*l\" (a line), \"*a\" (all there is) or a number of bytes)\nnil\ttimeout\n")
}

func TestClosingWakesTheReader(t *testing.T) {
	outdoors(t, `
		local l = net.listen("127.0.0.1:0")
		local c = net.dial(l:addr())
		local reader = fiber.spawn(function() return c:read() end)
		local accepter = fiber.spawn(function() l:accept() return l:accept() end)
		fiber.sleep(0.001)
		c:close() l:close()
		local _, e = reader:join()
		print((e:gsub("%d+%.%d+%.%d+%.%d+:%d+", "ADDR")))
		print(accepter:join())`,
		"p.lua:4: read tcp ADDR->ADDR: use of closed network connection\ntrue\tnil\tclosed\n")
}

// Each error has the position in the script, and the operation.
func TestErrorsOfTheWorldNameTheLineAndWhatWasTried(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o600))
	for program, want := range map[string]string{
		`local l = net.listen("127.0.0.1:0") net.listen(l:addr())`:         `^p.lua:1: listen tcp 127.0.0.1:\d+: bind: address already in use$`,
		`local l = net.listen("127.0.0.1:0") l:close() net.dial(l:addr())`: `^p.lua:1: dial tcp 127.0.0.1:\d+: connect: connection refused$`,
		`net.dial("no such host:80")`:                                      `^p.lua:1: dial tcp: lookup no such host: no such host$`,
		`net.dial("nowhere")`:                                              `^p.lua:1: dial tcp: address nowhere: missing port in address$`,
		`net.lookup("no such host")`:                                       `^p.lua:1: lookup no such host: no such host$`,
		`fs.read("` + dir + `/none")`:                                      `^p.lua:1: open ` + dir + `/none: no such file or directory$`,
		`fs.read("` + dir + `")`:                                           `^p.lua:1: read ` + dir + `: is a directory$`,
		`fs.write("/proc/sys/kernel/ostype", "x")`:                         `^p.lua:1: open /proc/sys/kernel/ostype: permission denied$`,
		`fs.list("` + dir + `/file")`:                                      `^p.lua:1: .*` + dir + `/file: not a directory$`,
		`fs.stat("` + dir + `/none")`:                                      `^p.lua:1: stat ` + dir + `/none: no such file or directory$`,
		`proc.run{ "no-such-program" }`:                                    `^p.lua:1: exec: "no-such-program": executable file not found in \$PATH$`,
		`proc.run{}`:                                                       `p.lua:1: bad argument #1 to run \(no program; want proc.run`,
		`proc.run{ "true", env = { a = {} } }`:                             `^p.lua:1: env: names and values are strings, got \[a\] = a table$`,
		`proc.run{ "true", linger = -1 }`:                                  `linger: bad duration: -1 s is negative`,
		`proc.run{ "true", timeout = "soon" }`:                             `timeout: number of seconds expected, got string`,
		`http.get("http://127.0.0.1:1/x")`:                                 `^p.lua:1: Get "http://127.0.0.1:1/x": dial tcp 127.0.0.1:1: connect: connection refused$`,
		`http.get("http://a..b/")`:                                         `^p.lua:1: Get "http://a..b/": dial tcp: lookup a..b: no such host$`,
		`http.serve("no such host:80", print)`:                             `^p.lua:1: listen tcp: lookup no such host: no such host$`,
		`local l = net.listen("127.0.0.1:0") http.serve(l:addr(), print)`:  `^p.lua:1: listen tcp 127.0.0.1:\d+: bind: address already in use$`,
		`local l = net.listen("127.0.0.1:0") local c = net.dial(l:addr()) local p = l:accept() c:write("unread") p:close() c:read()`: `^p.lua:1: read tcp 127.0.0.1:\d+->127.0.0.1:\d+: read: connection reset by peer$`,
		`http.get("gopher://x")`:                                         `^p.lua:1: Get "gopher://x": unsupported protocol scheme "gopher"$`,
		`http.request{ method = "GET" }`:                                 `no url; want http.request`,
		`fs.read("x", "soon")`:                                           `bad argument #2 to read \(timeout: number of seconds expected, got string\)`,
		`http.serve("127.0.0.1:0", print, { timeout = {} })`:             `bad argument #3 to serve \(timeout: number of seconds expected, got table\)`,
		`http.serve("127.0.0.1:99999", print)`:                           `^p.lua:1: listen tcp: address 99999: invalid port$`,
		`net.listen("127.0.0.1:0"):accept("soon")`:                       `timeout: number of seconds expected, got string`,
		`net.listen("127.0.0.1:0").accept()`:                             `listener expected, got nil; call it as l:method\(\)`,
		`http.serve("127.0.0.1:0", print).close("x")`:                    `server expected, got string; call it as s:method\(\)`,
		`local l = net.listen("127.0.0.1:0") net.dial(l:addr()):read(0)`: `number of bytes 0: want a whole number from 1`,
	} {
		s := set(t, real(1000))
		err := s.try(program)
		require.Error(t, err, program)
		require.Regexp(t, regexp.MustCompile(want), err.Error(), program)
	}
}

func TestVirtualTimeHasNoNetworkAndFilesInPlace(t *testing.T) {
	s := set(t, Config{})
	path := filepath.Join(t.TempDir(), "file")
	s.State().Base().SetGlobal("path", lstring(path))
	s.play(`
		for _, call in ipairs{
			function() net.dial("127.0.0.1:1") end, function() net.listen("127.0.0.1:0") end, function() net.lookup("localhost") end,
			function() http.get("http://127.0.0.1:1") end, function() http.serve("127.0.0.1:0", print) end,
		} do
			local _, e = pcall(call)
			print((e:gsub("p.lua:%d+: ", "")))
		end
		fs.write(path, "text")
		print(fs.read(path), proc.run{ "echo", "hello" }.stdout, fiber.now())`)
	lines := strings.Split(s.printed(), "\n")
	for i, call := range []string{"net.dial", "net.listen", "net.lookup", "http.get", "http.serve"} {
		require.Equal(t, call+": there is no network in virtual time, which would be over before an answer came (Config.Runtime.Clock)", lines[i])
	}
	require.Equal(t, []string{"text\thello", "\t0", ""}, lines[5:])
}

func lstring(s string) glua.LValue { return glua.LString(s) }
