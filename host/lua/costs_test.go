package lua_test

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
)

// Sizes of the arguments in the calls below, and what they cost in steps.
const (
	textSteps  = 1 << 20 / 256 // a string of a megabyte is read or written
	matchSteps = 1 << 20       // a pattern is tried at each byte
	tableSteps = 1 << 16       // each element of a table is visited
	moveSteps  = 1 << 16 / 16  // its elements are moved
	manySteps  = 1600 / 16     // many values are passed
	levelSteps = 150 / 16
	codeSteps  = 4096 // a source is compiled
	constant   = 0
)

// argumentsOf are the values that the calls use.
const argumentsOf = `
	s, other = ("x"):rep(2^20), ("x"):rep(2^19):rep(2)
	numerals = ("0"):rep(2^20 - 1) .. "1"
	numeral, name, code = ("1"):rep(4096), ("m"):rep(30000), (" "):rep(4096)
	t, u, ones, holes, removed = {}, {}, {}, {}, {}
	for i = 1, 2^16 do t[i], u[i], ones[i], holes[i] = i, -i, 1, i end
	for i = 2^16, 1, -1 do holes[i] = nil end
	for i = 1, 2^16 do removed["k" .. i] = i end
	for i = 1, 2^16 do removed["k" .. i] = nil end
	function many() return unpack(ones, 1, 1600) end
	function deep(n, f) if n == 0 then return f() end local r = deep(n - 1, f) return r end
	function each() return coroutine.create(function(...) while true do coroutine.yield(...) end end) end
	function reader() local last = code return function() local now = last last = nil return now end end
	co, file = each(), assert(io.open("text", "r+"))`

// calls are hostile calls of every function of the libraries, and the least work that each does. A
// constant call takes no more steps for a long argument than for a short one.
var calls = map[string]struct {
	call  string
	least int64
}{
	"assert": {`assert(s, s)`, constant}, "collectgarbage": {`collectgarbage()`, 1000}, "dofile": {`dofile("code")`, codeSteps},
	"error": {`pcall(error, s)`, textSteps}, "getfenv": {`deep(150, function() getfenv(150) end)`, levelSteps}, "getmetatable": {`getmetatable(s)`, constant},
	"ipairs": {`ipairs(t)`, constant}, "load": {`load(reader())`, codeSteps}, "loadfile": {`loadfile("code")`, codeSteps},
	"loadstring": {`loadstring(code)`, codeSteps}, "module": {`pcall(function() module(name) end)`, 30000 / 256}, "newproxy": {`newproxy()`, constant},
	"next": {`next(removed)`, tableSteps}, "pairs": {`for _ in pairs(holes) do end for _ in pairs(removed) do end`, tableSteps + moveSteps},
	"pcall": {`pcall(many)`, manySteps}, "print": {`print(s)`, textSteps}, "rawequal": {`rawequal(s, other)`, textSteps},
	"rawget": {`rawget(t, s)`, textSteps}, "rawset": {`rawset({}, s, 1)`, textSteps}, "require": {`pcall(require, name)`, 30000 / 256},
	"select": {`select(2, many())`, manySteps}, "setfenv": {`pcall(deep, 150, function() setfenv(150, {}) end)`, levelSteps},
	"setmetatable": {`setmetatable({}, t)`, constant}, "tonumber": {`tonumber(numeral)`, 4096 / 256}, "tostring": {`tostring(s)`, constant},
	"type": {`type(s)`, constant}, "unpack": {`unpack(t, 1, 4000)`, 4000}, "xpcall": {`xpcall(many, print)`, manySteps},

	"coroutine.create": {`coroutine.create(many)`, constant}, "coroutine.resume": {`coroutine.resume(co, many())`, manySteps},
	"coroutine.running": {`coroutine.running()`, constant}, "coroutine.status": {`coroutine.status(co)`, constant},
	"coroutine.wrap": {`coroutine.wrap(many)()`, manySteps}, "coroutine.yield": {`coroutine.resume(each(), many())`, manySteps},

	"debug.getfenv": {`debug.getfenv(many)`, constant}, "debug.getinfo": {`deep(150, function() debug.getinfo(150) end)`, levelSteps},
	"debug.getlocal":     {`deep(150, function() debug.getlocal(150, 1) end)`, levelSteps},
	"debug.getmetatable": {`debug.getmetatable(s)`, constant}, "debug.getupvalue": {`debug.getupvalue(reader(), 1)`, constant},
	"debug.setfenv": {`debug.setfenv(reader(), _G)`, constant}, "debug.setlocal": {`deep(150, function() debug.setlocal(150, 1, 1) end)`, levelSteps},
	"debug.setmetatable": {`debug.setmetatable({}, t)`, constant}, "debug.setupvalue": {`debug.setupvalue(reader(), 1, s)`, constant},
	"debug.traceback": {`debug.traceback(s)`, textSteps},

	"io.close": {`io.close(io.tmpfile())`, constant}, "io.flush": {`io.flush()`, constant}, "io.input": {`pcall(io.input, s)`, textSteps},
	"io.lines": {`io.lines(s)`, textSteps}, "io.open": {`io.open(s)`, textSteps}, "io.output": {`pcall(io.output, s)`, textSteps},
	"io.popen": {``, constant}, "io.read": {`io.input("text") io.read(2^20)`, textSteps}, "io.tmpfile": {`io.tmpfile()`, constant},
	"io.type": {`io.type(s)`, constant}, "io.write": {`io.write(s)`, textSteps},
	"<file>.__tostring": {`tostring(file)`, constant}, "<file>.close": {`io.tmpfile():close()`, constant}, "<file>.flush": {`file:flush()`, constant},
	"<file>.lines": {`file:lines()`, constant}, "<file>.read": {`file:read("*a")`, textSteps}, "<file>.seek": {`file:seek("set", 0)`, constant},
	"<file>.setvbuf": {`file:setvbuf("no")`, constant}, "<file>.write": {`file:write(s)`, textSteps},

	"os.clock": {`os.clock()`, constant}, "os.date": {`os.date(s)`, textSteps}, "os.difftime": {`os.difftime(1, 2)`, constant},
	"os.execute": {``, constant}, "os.exit": {``, constant}, "os.getenv": {`os.getenv(s)`, textSteps}, "os.remove": {`os.remove(s)`, textSteps},
	"os.rename": {`os.rename(s, s)`, 2 * textSteps}, "os.setenv": {`os.setenv(s .. "=", "")`, textSteps}, "os.setlocale": {`os.setlocale(s)`, textSteps},
	"os.time": {`pcall(os.time, {year = s})`, constant}, "os.tmpname": {`os.tmpname()`, constant},
	"package.loadlib": {`pcall(package.loadlib, s, s)`, 2 * textSteps}, "package.seeall": {`package.seeall({})`, constant},

	"string.byte": {`s:byte(1, 4000)`, 4000}, "string.char": {`string.char(many())`, manySteps}, "string.dump": {`pcall(string.dump, many)`, constant},
	"string.find": {`s:find("y")`, matchSteps}, "string.format": {`("%s%q"):format(s, s)`, 2 * textSteps}, "string.gfind": {`string.gfind(s, "y")()`, matchSteps},
	"string.gmatch": {`s:gmatch("y")()`, matchSteps}, "string.gsub": {`s:gsub("y", "")`, matchSteps}, "string.len": {`s:len()`, constant},
	"string.lower": {`s:lower()`, textSteps}, "string.match": {`s:match("y")`, matchSteps}, "string.rep": {`("x"):rep(2^20)`, textSteps},
	"string.reverse": {`s:reverse()`, textSteps}, "string.sub": {`s:sub(2)`, constant}, "string.upper": {`s:upper()`, textSteps},

	"table.concat": {`table.concat(t)`, tableSteps}, "table.getn": {`table.getn(holes)`, moveSteps}, "table.insert": {`table.insert(t, 1, 0)`, moveSteps},
	"table.maxn": {`table.maxn(t)`, tableSteps}, "table.remove": {`table.remove(t, 1)`, moveSteps}, "table.sort": {`table.sort(u)`, tableSteps},
}

// operators are instructions that take more than constant time.
var operators = map[string]struct {
	call  string
	least int64
}{
	"..": {`local _ = s .. s`, 2 * textSteps}, "==": {`local _ = s == other`, textSteps}, "<": {`local _ = s < other`, textSteps},
	"<=": {`local _ = s <= other`, textSteps}, "#": {`local _ = #holes`, moveSteps}, "index": {`local _ = t[s]`, textSteps},
	"+": {`local _ = numerals + numerals`, 2 * textSteps}, "-": {`local _ = -numerals`, textSteps},
	"assignment": {`({})[s] = 1`, textSteps}, "arguments": {`type(many())`, manySteps}, "results": {`return many()`, manySteps},
	"...": {`(function(...) return ... end)(many())`, 3 * manySteps}, "a method": {`s:find(other, 1, true)`, textSteps},
	"long plain text": {`s:find(s .. "y", 1, true) s:find("y", 1, true)`, textSteps},
}

// counter is the Carrier of programs that are never suspended.
type counter struct {
	slice int64
	polls int64
}

func (c *counter) Budget() int64 { return c.slice }
func (*counter) Used(int64)      {}
func (c *counter) Poll() error   { c.polls++; return nil }

// countedSlice is the time slice of the calls that are counted.
const countedSlice = 16

// counted is a state in which calls are counted.
type counted struct {
	counter
	state *lua.State
	polls []int64  // at each mark
	bytes []uint64 // that were allocated
}

func newCounted(t *testing.T) *counted {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	for name, text := range map[string]string{"text": strings.Repeat("x", 1<<20), "code": strings.Repeat(" ", codeSteps)} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	c := &counted{state: lua.New(lua.Config{Stdout: discard{}})}
	t.Cleanup(c.state.Close)
	base := c.state.Base()
	base.SetGlobal("mark", base.NewFunction(c.mark))
	base.SetGlobal("unpaid", base.NewFunction(func(L *glua.LState) int {
		L.Push(glua.LString(strings.Repeat("x", 1<<20)))
		return 1
	}))
	c.run(t, 1<<40, argumentsOf)
	return c
}

func (c *counted) mark(*glua.LState) int {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.polls, c.bytes = append(c.polls, c.counter.polls), append(c.bytes, m.TotalAlloc)
	return 0
}

func (c *counted) run(t *testing.T, slice int64, program string) {
	c.slice = slice
	fn, err := c.state.Load(strings.NewReader(program), "call.lua")
	require.NoError(t, err)
	_, err = c.state.Main().Run(&c.counter, fn)
	require.NoError(t, err)
}

// paid are the steps that a call pays for, and the bytes that are allocated meanwhile.
func (c *counted) paid(t *testing.T, call string) (steps, allocated int64) {
	c.polls, c.bytes = nil, nil
	c.run(t, countedSlice, "mark(); (function() "+call+" end)() mark()")
	return (c.polls[1] - c.polls[0]) * countedSlice, int64(c.bytes[1] - c.bytes[0])
}

func (c *counted) requirePaid(t *testing.T, call string, least int64) {
	steps, allocated := c.paid(t, call)
	if least == constant {
		require.Less(t, steps, int64(200))
	} else {
		require.GreaterOrEqual(t, steps+2*countedSlice, least)
	}
	require.LessOrEqual(t, allocated, bytesFor(steps))
}

// bytesFor is how many bytes a call may allocate that has paid for a number of steps.
func bytesFor(steps int64) int64 { return 1<<17 + 16*256*steps }

// Every function of every library is in the table, so that a new one is counted too. How many steps a call
// has paid for is compared with what its arguments make it do, and with the bytes that Go has
// allocated meanwhile.
func TestEveryFunctionPaysForItsWork(t *testing.T) {
	c := newCounted(t)
	for path, row := range operators {
		t.Run(path, func(t *testing.T) { c.requirePaid(t, row.call, row.least) })
	}
	for _, path := range append(libraryFunctions(), fileMethods()...) {
		row, known := calls[path]
		if name, isMath := strings.CutPrefix(path, "math."); isMath {
			row.call, row.least, known = "pcall(math."+name+", numeral, numeral)", 4096/256, true
		}
		require.True(t, known, "%s has no row in the table of hostile calls", path)
		t.Run(path, func(t *testing.T) { c.requirePaid(t, row.call, row.least) })
	}
}

// A function that does not pay is found.
func TestAFunctionThatDoesNotPayIsFound(t *testing.T) {
	steps, allocated := newCounted(t).paid(t, `unpaid()`)
	require.Less(t, steps, int64(textSteps))
	require.Greater(t, allocated, bytesFor(steps))
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
