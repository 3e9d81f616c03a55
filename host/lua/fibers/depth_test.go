//go:build !purego

package fibers

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/long"
)

// places are where a call runs: each has a stack of its own.
func places() map[string]string {
	return map[string]string{
		"the main program":       `%s`,
		"a fiber":                `local ok, e = fiber.spawn(function() %s end):join() assert(ok, e)`,
		"a coroutine":            `coroutine.wrap(function() %s end)()`,
		"a coroutine of a fiber": `assert(fiber.spawn(function() coroutine.wrap(function() %s end)() end):join())`,
	}
}

func TestOrdinaryRecursionIsAsDeepAsInLua(t *testing.T) {
	for name, place := range places() {
		t.Run(name, func(t *testing.T) {
			s := set(t, slice(1000))
			s.play(`local function sum(n) if n == 0 then return 0 end return n + sum(n - 1) end ` +
				fmt.Sprintf(place, `for i = 1, 3 do print(sum(19000)) end`))
			require.Equal(t, strings.Repeat("180509500\n", 3), s.printed())
		})
	}
}

// endless are endless recursions: of Lua functions, and through every Go function that calls Lua.
func endless() map[string]string {
	return map[string]string{
		"a function":       `local function f() return 1 + f() end f()`,
		"two functions":    `local f, g function f() return 1 + g() end function g() return f() + 1 end f()`,
		"many registers":   `local function f(...) local a, b, c, d, e, g, h, i, j, k = ... return 1 + f(a, b, c, d, e, g, h, i, j, k) end f()`,
		"more and more":    `local function f(...) return 1 + f(1, ...) end f()`,
		"closures":         `local n = 0 local function f() n = n + 1 local x = {} if n % 20 > 0 then return 1 + f() end local function g() return x end return f() or g end f()`,
		"pcall":            `local function f() local ok, e = pcall(f) if not ok then error(e, 0) end end f()`,
		"xpcall":           `local function f() local ok, e = xpcall(f, function(m) return m end) if not ok then error(e, 0) end end f()`,
		"a handler":        `local function f() local ok, e = xpcall(error, function() f() end) if not ok then error(e, 0) end end f()`,
		"__index":          `local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) local _ = t[1]`,
		"__newindex":       `local t = setmetatable({}, {__newindex = function(t, k, v) t[k + 1] = v end}) t[1] = 1`,
		"__concat":         `local t = setmetatable({}, {__concat = function(a) return a .. "x" end}) local _ = t .. "x"`,
		"__add":            `local t = setmetatable({}, {__add = function(a) return a + 1 end}) local _ = t + 1`,
		"__eq":             `local mt = {} mt.__eq = function(a, b) return a == b end local _ = setmetatable({}, mt) == setmetatable({}, mt)`,
		"__lt":             `local mt = {} mt.__lt = function(a, b) return a < b end local _ = setmetatable({}, mt) < setmetatable({}, mt)`,
		"__call":           `local t = setmetatable({}, {__call = function(self) return 1 + self() end}) t()`,
		"__tostring":       `local t = setmetatable({}, {__tostring = function(t) return "x" .. tostring(t) end}) tostring(t)`,
		"table.sort":       `local function f() table.sort({2, 1}, function(a, b) f() return a < b end) end f()`,
		"string.gsub":      `local function f() return (("x"):gsub("x", f)) end f()`,
		"an iterator":      `local function f() for _ in f do end end f()`,
		"load":             `local function f() load(f) end f()`,
		"coroutine.wrap":   `local function f() coroutine.wrap(f)() end f()`,
		"coroutine.resume": `local function f() local ok, e = coroutine.resume(coroutine.create(f)) if not ok then error(e, 0) end end f()`,
		"m:with":           `local function f() fiber.mutex():with(f) end f()`,
		"require":          `local function f() local name = {} package.preload[tostring(name)] = f require(tostring(name)) end f()`,
		"everything":       `local n = 0 local function f() n = n + 1 if n % 60 > 0 then return 1 + f() end local ok, e = pcall(string.gsub, "x", "x", function() table.sort({2, 1}, f) end) if not ok then error(e, 0) end end f()`,
	}
}

func TestEndlessRecursionIsAnErrorThatCanBeCaught(t *testing.T) {
	for name, body := range endless() {
		for where, place := range places() {
			if !long.Full() && where != "a fiber" {
				continue
			}
			t.Run(name+"/"+where, func(t *testing.T) {
				s := set(t, Config{})
				s.play(`local function endless() ` + body + ` end ` + fmt.Sprintf(place, `
					for i = 1, 2 do
						local ok, e = pcall(endless)
						assert(not ok and (e:find("stack overflow", 1, true) or e:find("registry overflow", 1, true)), e)
					end
					print(pcall(string.rep, "x", 3))`))
				require.Equal(t, "true\txxx\n", s.printed())
			})
		}
	}
}

func TestUncaughtEndlessRecursionEndsItsFiber(t *testing.T) {
	for name, body := range endless() {
		t.Run(name, func(t *testing.T) {
			s := set(t, Config{})
			s.play(`print((fiber.spawn(function() ` + body + ` end):join()))`)
			require.Equal(t, "false\n", s.printed())
			require.ErrorContains(t, s.try(body), "overflow")
		})
	}
}

func TestADeepFiberCanBePreemptedAndKilled(t *testing.T) {
	s := set(t, slice(7))
	s.openKill()
	s.play(`
		local ch = fiber.chan()
		local function deep(n) if n == 0 then return ch:recv() end return 1 + deep(n - 1) end
		local one, two = fiber.spawn(deep, 15000), fiber.spawn(deep, 15000)
		while one:status() ~= "blocked" or two:status() ~= "blocked" do fiber.yield() end
		kill(two)
		print((two:join()))
		ch:send(0)
		print(one:join())`)
	require.Equal(t, "false\ntrue\t15000\n", s.printed())
}

// The limits bound the memory of one recursion: frames of 80 bytes, values of 16 bytes, and the Go
// stack of the 256 calls that Go functions may nest.
func TestEndlessRecursionTakesLittleMemory(t *testing.T) {
	for _, name := range []string{"a function", "many registers", "pcall", "table.sort", "everything"} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := set(t, Config{})
		s.play(`local function endless() ` + endless()[name] + ` end pcall(endless) collectgarbage() done = fiber.chan()
			fiber.spawn(function() pcall(endless) done:recv() end) fiber.yield() collectgarbage()`)
		runtime.ReadMemStats(&after)
		require.Less(t, int64(after.HeapInuse+after.StackInuse)-int64(before.HeapInuse+before.StackInuse), int64(32<<20), name)
	}
}

func TestTheHostMayChooseTheDepth(t *testing.T) {
	s := set(t, Config{Lua: lua.Config{MaxDepth: 100}})
	s.play(`local n = 0 local function f() n = n + 1 return 1 + f() end print(pcall(f)) print(n > 90 and n < 100)`)
	require.Equal(t, "false\tp.lua:1: stack overflow\ntrue\n", s.printed())
}

func TestTheLimitsOfALuaStackAreThoseOfPUCLua(t *testing.T) {
	s := set(t, Config{})
	s.play(`
		local function limits()
			local reached = {}
			local function deeper(n) reached.calls = n; return 1 + deeper(n + 1) end
			local ok, e = pcall(deeper, 1)
			return reached.calls > 19900 and reached.calls <= 20000, select("#", unpack({}, 1, 8000)), ok, e
		end
		print(limits())
		print(fiber.spawn(limits):join())
		print(coroutine.wrap(limits)())`)
	require.Equal(t, "true\t8000\tfalse\tp.lua:4: stack overflow\n"+
		"true\ttrue\t8000\tfalse\tp.lua:4: stack overflow\n"+
		"true\t8000\tfalse\tp.lua:4: stack overflow\n", s.printed())
}
