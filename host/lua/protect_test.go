//go:build !purego

package lua_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestACaughtErrorDetachesNoVariables(t *testing.T) { golden(t, "testdata/guarded") }

// openExplode adds a global that panics as broken Go code does.
func openExplode(d *driver) {
	d.state.Base().SetGlobal("explode", d.state.Base().NewFunction(func(*glua.LState) int { panic("boom") }))
}

func TestAGoPanicDetachesNoVariables(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	openExplode(d)
	f := d.run(t, `
		local n, kept = 0
		local function inc() n = n + 1 end
		inc()
		print(pcall(function() local m = n; kept = function() m = m + 1 return m end; m = 10; explode() end))
		inc()
		fork(function() local m = n; kept2 = function() m = m + 1 return m end; m = 20; pause() explode() end)
		pause() pause()
		print(n, kept(), kept(), kept2(), kept2())`)
	require.NoError(t, f.err)
	require.Equal(t, "false\tboom\n2\t11\t12\t21\t22\n", d.out.String())
}

// Each iteration of the loop is preempted at other instructions, inside the protected calls and
// between them.
func TestFibersShareACounterAcrossCaughtErrors(t *testing.T) {
	for _, slice := range []int64{1, 2, 3, 5, 7, 1000} {
		d := newDriver(t, lua.Config{}, slice)
		f := d.run(t, `
			local total, rounds = 0, 0
			local function add() total = total + 1 end
			local ended = {}
			for i = 1, 5 do
				fork(function()
					local mine = 0
					for j = 1, 20 do
						local function step() mine = mine + 1; if j % 2 == 0 then error("x") end end
						if j % 3 == 0 then xpcall(step, debug.traceback) else pcall(step) end
						mine = mine + 1
					end
					ended[i] = mine
				end)
			end
			for i = 1, 5 do while not ended[i] do add() rounds = rounds + 1 pcall(error) pause() end end
			print(total == rounds, unpack(ended))`)
		require.NoError(t, f.err)
		require.Equal(t, "true\t40\t40\t40\t40\t40\n", d.out.String())
	}
}

func TestALibrarysOwnPCallIsGopherLuas(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	d.state.Base().SetGlobal("try", d.state.Base().NewFunction(func(L *glua.LState) int {
		err := L.PCall(L.GetTop()-1, 0, nil)
		L.Push(glua.LBool(err == nil))
		return 1
	}))
	f := d.run(t, `
		local n, kept = 0
		local function inc() n = n + 1 end
		inc()
		print(pcall(function() return try(function() local m = 5; kept = function() return m end; pcall(error); m = 6; error("x") end) end))
		inc()
		print(n, kept())`)
	require.NoError(t, f.err)
	require.Equal(t, "true\tfalse\n2\t6\n", d.out.String(), "errors stay within the pcall around it")
}

func TestAProtectedCallThatIsUnwoundLeavesTheThreadUsable(t *testing.T) {
	d := newDriver(t, lua.Config{}, 100)
	seen := ""
	d.state.Base().SetGlobal("finally", d.state.Base().NewFunction(func(L *glua.LState) int {
		last := L.CheckFunction(2)
		defer func() {
			L.Push(last)
			L.Call(0, 1)
			seen = L.Get(-1).String()
		}()
		L.Push(L.CheckFunction(1))
		L.Call(0, 0)
		return 0
	}))
	f := d.start(t, `
		local n, inc = 1
		inc = function() n = n + 1 end
		finally(function()
			pcall(function() local m = 7; inc = function() n = n + m end; xpcall(function() m = 8 while true do end end, print) end)
		end, function() inc() return n end)`)
	for range 5 {
		d.step()
	}
	f.killed = errKilled
	d.step()
	require.True(t, f.stack.Finished())
	require.Equal(t, "9", seen)
}
