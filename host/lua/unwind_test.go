package lua_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/internal/stack"
)

// stubborn are programs that catch all errors and never end.
var stubborn = map[string]string{
	"a loop":                 `while true do end`,
	"pcall of a wait":        `while true do pcall(pause) end`,
	"pcall of a loop":        `while true do pcall(function() while true do end end) end`,
	"nested pcalls":          `local function f(n) while true do pcall(f, n + 1) end end f(1)`,
	"an xpcall handler":      `while true do xpcall(function() while true do end end, function() while true do end end) end`,
	"a failing handler":      `while true do xpcall(pause, function() error("again") end) end`,
	"coroutines":             `while true do coroutine.resume(coroutine.create(function() while true do pcall(pause) end end)) end`,
	"wrapped coroutines":     `while true do pcall(coroutine.wrap(function() pcall(function() while true do end end) end)) end`,
	"a coroutine in another": `local function f() while true do pcall(coroutine.wrap(function() for i = 1, 9 do coroutine.wrap(f)() end end)) end end f()`,
	"table.sort":             `while true do pcall(table.sort, {3, 2, 1}, function() while true do end end) end`,
	"string.gsub":            `while true do pcall(string.gsub, "x", "x", function() while true do pcall(pause) end end) end`,
	"__index":                `local t = setmetatable({}, {__index = function() while true do pcall(pause) end end}) while true do pcall(function() return t.x end) end`,
	"__tostring":             `local t = setmetatable({}, {__tostring = function() while true do end end}) while true do pcall(print, t) end`,
	"an iterator":            `for _ in function() while true do pcall(pause) end end do end`,
	"a chunk reader":         `while true do pcall(load, function() while true do pcall(pause) end end) end`,
}

// ways to end a fiber from outside.
var ways = map[string]func(*driver, *turn){
	"by its next poll": func(d *driver, f *turn) { f.killed = errKilled; d.step() },
	"by its stack":     func(_ *driver, f *turn) { f.stack.Close() },
}

func TestNoProgramSurvivesAKill(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for name, program := range stubborn {
		for way, end := range ways {
			for _, slice := range []int64{1, 7, 100} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, way, slice), func(t *testing.T) {
					d := newDriver(t, lua.Config{}, slice)
					f := d.start(t, program)
					for range 20 {
						d.step()
					}
					polls := f.polls
					end(d, f)
					require.True(t, f.stack.Finished(), "one turn must be enough")
					require.LessOrEqual(t, f.polls, polls+1)
					require.Zero(t, d.state.Suspended(), "a coroutine is left on a stack")
					d.ready = nil
					require.NoError(t, d.run(t, `print(pcall(coroutine.wrap(function() pause() return "fine" end)))`).err)
					require.Equal(t, "true\tfine\n", d.out.String())
				})
			}
		}
	}
}

func TestGoDefersRunWhenAFiberIsKilledAndLuaCodeDoesNot(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	locked := 0
	d.state.Base().SetGlobal("with", d.state.Base().NewFunction(func(L *glua.LState) int {
		locked++
		defer func() { locked-- }()
		L.Push(L.CheckFunction(1))
		L.Call(0, 0)
		return 0
	}))
	f := d.start(t, `
		local function handler() print("handled") end
		coroutine.wrap(function()
			with(function() with(function() xpcall(function() pcall(with, function() while true do end end) end, handler) end) end)
		end)()`)
	for range 20 {
		d.step()
	}
	require.Equal(t, 3, locked)
	f.killed = errKilled
	d.step()
	require.True(t, f.stack.Finished())
	require.Zero(t, locked)
	require.Empty(t, d.out.String())
}

func TestLuaCalledByAGoDeferOfAKilledFiberIsUnwoundAgain(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	d.state.Base().SetGlobal("finally", d.state.Base().NewFunction(func(L *glua.LState) int {
		last := L.CheckFunction(2)
		defer func() {
			L.Push(last)
			L.Call(0, 0)
		}()
		L.Push(L.CheckFunction(1))
		L.Call(0, 0)
		return 0
	}))
	f := d.start(t, `finally(function() while true do end end, function() print("cleanup") while true do end end)`)
	for range 5 {
		d.step()
	}
	f.killed = errKilled
	d.step()
	require.True(t, f.stack.Finished())
	require.Equal(t, "cleanup\n", d.out.String(), "a defer has one slice left, and no more")
}

func TestGoexitInAGoFunctionEndsTheFiberAndNoOther(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	d.state.Base().SetGlobal("failnow", d.state.Base().NewFunction(func(*glua.LState) int {
		runtime.Goexit()
		return 0
	}))
	doomed := d.start(t, `coroutine.wrap(function() pcall(coroutine.wrap(function() pcall(failnow) print("never") end)) print("never") end)() print("never")`)
	other := d.run(t, `for i = 1, 3 do pause() end print("went on")`)
	require.ErrorIs(t, doomed.err, stack.ErrGoexit)
	require.NoError(t, other.err)
	require.Equal(t, "went on\n", d.out.String())
}

func TestAGoPanicIsALuaErrorAsInGopherLua(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	d.state.Base().SetGlobal("explode", d.state.Base().NewFunction(func(*glua.LState) int { panic("boom") }))
	f := d.run(t, `print(pcall(explode)) print(coroutine.resume(coroutine.create(explode))) explode()`)
	require.Equal(t, "false\tboom\nfalse\tboom\n", d.out.String())
	require.ErrorContains(t, f.err, "boom")
}
