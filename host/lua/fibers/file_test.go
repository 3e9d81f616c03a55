package fibers

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
)

// desk runs a program with a directory of its own, with several budgets and in both kinds of time.
func desk(t *testing.T, program, want string) {
	t.Helper()
	for _, budget := range budgets() {
		for _, cfg := range []Config{real(budget), slice(budget)} {
			s := set(t, cfg)
			dir := t.TempDir()
			s.State().Base().SetGlobal("dir", lstring(dir))
			s.play(program)
			require.Equal(t, want, strings.ReplaceAll(s.printed(), dir, "DIR"))
		}
	}
}

func TestFilesAreReadAndWrittenAsInPlainLua(t *testing.T) {
	desk(t, `
		local path = dir .. "/file"
		local f = assert(io.open(path, "w"))
		print(io.type(f), tostring(f), io.type("f"))
		print(f:write("one\n", 2, "\nthree\n", "4.5 rest"))
		print(f:close(), io.type(f), tostring(f))
		for line in io.lines(path) do io.write(line, ",") end print()
		f = io.open(path)
		print(f:read(), f:read("*n", 1), f:read(0), f:read("*l"), f:read("*n"), f:read(2), f:read("*a"), f:read("*a"), f:read())
		print(f:seek("set", 4), f:read(1), f:seek(), f:seek("end"), f:read())
		f:close()
		f = io.open(path, "r+")
		print(f:read("*l"))
		f:write("T")
		print(f:seek("cur"), f:read())
		f:seek("set", 0)
		print((f:read("*a"):gsub("\n", ",")))
		f:close()
		f = io.open(path, "ab")
		f:write("!") io.close(f)
		f = io.open(path, "w+b")
		f:write("new\nlines\n") f:seek("set")
		for line in f:lines() do io.write(line, ",") end print()
		f:close()
		local t = io.tmpfile()
		t:write("kept nowhere") t:seek("set", 5)
		print(t:read("*a"), t:close())`,
		"file\tfile\tnil\ntrue\ntrue\tclosed file\tfile (closed)\none,2,three,4.5 rest,\n"+
			"one\t2\t\tthree\t4.5\t r\test\t\tnil\n4\t2\t5\t20\tnil\none\n5\t\none,T,three,4.5 rest\nnew,lines,\nnowhere\ttrue\n")
}

func TestTheStandardFilesCanBeFiles(t *testing.T) {
	desk(t, `
		local path, out, inp = dir .. "/file", io.output(), io.input()
		local f = io.output(path)
		print(f == io.output(), io.write("a line\n", "and 7"), io.flush(), io.close())
		io.output(out)
		f = io.input(path)
		print(f == io.input(), io.read(), io.read("*a"))
		f:close()
		io.input(io.open(path))
		for line in io.lines() do io.write(line, ";") end print()
		io.input(inp)
		print(io.type(io.stdout), io.type(io.stdin))`,
		"true\ttrue\ttrue\ttrue\ntrue\ta line\tand 7\na line;and 7;\nfile\tfile\n")
}

func TestWhatIsBufferedIsWrittenInTheEnd(t *testing.T) {
	desk(t, `
		local path = dir .. "/file"
		local f = io.open(path, "w+")
		print(f:setvbuf("full", 8), f:write("1234"), fs.stat(path).size, f:write("56789"), fs.stat(path).size)
		print(f:write("a"), f:flush(), fs.stat(path).size)
		print(f:write("b"), f:seek("cur"), fs.stat(path).size)
		print(f:write("c"), f:close(), fs.read(path))
		print(pcall(f.setvbuf, f, "much"))`,
		"true\ttrue\t0\ttrue\t9\ntrue\ttrue\t10\ntrue\t11\t11\ntrue\ttrue\t123456789abc\n"+
			"false\tp.lua:8: bad argument #2 to (anonymous) (want \"no\", \"full\" or \"line\", got much)\n")
}

func TestWhatIsWrongWithAFileIsSaid(t *testing.T) {
	desk(t, `
		print(io.open(dir .. "/none/file", "w"))
		print(io.open("/proc/sys/kernel/ostype", "w"))
		print(pcall(io.lines, dir .. "/none"))
		print(pcall(io.input, dir .. "/none"))
		print(pcall(io.open, dir, "x"))
		print(io.open(dir):read())
		local f = io.open(dir .. "/file", "w")
		print(f:read()) print(pcall(f.lines, f))
		print(pcall(f.seek, f, "far")) print(pcall(f.read, f, "*x"))
		f:write("x") f:close()
		print(pcall(f.close, f))
		print(pcall(f.write, f, "late")) print(pcall(f.read, f))
		f = io.open(dir .. "/file")
		print(f:write("x"))
		f:close()`,
		"nil\topen DIR/none/file: no such file or directory\t1\n"+
			"nil\topen /proc/sys/kernel/ostype: permission denied\t1\n"+
			"false\tp.lua:4: open DIR/none: no such file or directory\n"+
			"false\tp.lua:5: open DIR/none: no such file or directory\n"+
			"false\tp.lua:6: bad argument #2 to (anonymous) (invalid mode x; want \"r\", \"w\", \"a\", \"r+\", \"w+\" or \"a+\")\n"+
			"nil\tread DIR: is a directory\t1\n"+
			"nil\tDIR/file: is open for writing only\t1\nfalse\tp.lua:9: DIR/file: is open for writing only\n"+
			"false\tp.lua:10: bad argument #2 to (anonymous) (want \"set\", \"cur\" or \"end\", got far)\n"+
			"false\tp.lua:10: bad argument #2 to (anonymous) (invalid format *x)\n"+
			"false\tp.lua:12: the file is closed\n"+
			"false\tp.lua:13: the file is closed\nfalse\tp.lua:13: the file is closed\n"+
			"nil\tDIR/file: is open for reading only\t1\n")
}

// The only worker is busy: fibers that use a file wait, and no others.
func TestAFileBlocksItsFiberOnly(t *testing.T) {
	for _, budget := range budgets() {
		s := set(t, real(budget))
		world, err := fiberio.New(s.Runtime(), fiberio.Config{IOWorkers: 1, Access: sandbox.Process()})
		require.NoError(t, err)
		s.external.made = world
		gate := make(chan struct{})
		s.global("busy", func(L *glua.LState) int {
			c := s.env.begin(L)
			_, err := fiberio.Do(world, c.fiber, fiber.Never, func(context.Context) (any, error) { <-gate; return nil, nil })
			c.check(err)
			return 0
		})
		s.global("let_go", func(*glua.LState) int { close(gate); return 0 })
		s.State().Base().SetGlobal("path", lstring(filepath.Join(t.TempDir(), "file")))
		s.play(`
			local f = io.open(path, "w+")
			fiber.spawn(busy)
			fiber.yield()
			local waiting = {
				fiber.spawn(function() return f:write("text") end),
				fiber.spawn(function() return io.open(path):read("*a") end),
			}
			for i = 1, 100 do fiber.yield() end
			for _, task in ipairs(waiting) do print(task:status()) end
			let_go()
			for _, task in ipairs(waiting) do print(task:join()) end`)
		require.Equal(t, "blocked\nblocked\ntrue\ttrue\ntrue\ttext\n", s.printed())
	}
}

func TestAFileThatIsTooLargeIsNotReadAtOnce(t *testing.T) {
	cfg := Config{MaxBytes: 10}
	s := set(t, cfg)
	s.State().Base().SetGlobal("path", lstring(filepath.Join(t.TempDir(), "file")))
	s.play(`
		fs.write(path, "0123456789x")
		print(io.open(path):read("*a"))
		local f = io.open(path)
		print(f:read(1), f:read("*a"))`)
	require.Equal(t, "nil\tthe rest of the file: is larger than 10 bytes, the limit\t1\n0\t123456789x\n", s.printed())
}

func TestWhatNeverEndsIsNotReadForever(t *testing.T) {
	s := set(t, Config{MaxBytes: 10, Access: sandbox.Access{Stdin: strings.NewReader("01234567890")}})
	dir := t.TempDir()
	s.State().Base().SetGlobal("path", lstring(filepath.Join(dir, "file")))
	s.play(`
		fs.write(path, "01234567890")
		for _, format in ipairs{ "*l", "*n", 1e9 } do print(io.open(path):read(format)) end
		print(io.open(path):read(5, 5))
		print(pcall(io.lines(path)))
		print(io.read("*l"))`)
	reason := "what is to be read of PATH: is larger than 10 bytes, the limit"
	want := strings.Repeat("nil\t"+reason+"\t1\n", 3) + "01234\t56789\n" + "false\tp.lua:5: " + reason + "\n" +
		"nil\t" + strings.ReplaceAll(reason, "PATH", "the standard input") + "\t1\n"
	require.Equal(t, want, strings.ReplaceAll(s.printed(), filepath.Join(dir, "file"), "PATH"))
}

func TestALineWithoutAnEndIsNotReceivedForever(t *testing.T) {
	cfg := real(1000)
	cfg.MaxBytes = 10
	s := set(t, cfg)
	s.play(`
		local l = net.listen("127.0.0.1:0")
		local function send(s) local c = net.dial(l:addr()) c:write(s) c:close() end
		fiber.spawn(send, "0123456789")
		print(l:accept():read("*l"))
		fiber.spawn(send, "01234567890")
		local c = l:accept()
		local ok, why = pcall(c.read, c, "*l")
		print(ok, (why:gsub("127[%d.:]+:", "ADDRESS:")))
		print(c:read(5))`)
	require.Equal(t, "0123456789\nfalse\tp.lua:8: what is to be read of ADDRESS: is larger than 10 bytes, the limit\n01234\n", s.printed())
}
