package lua_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/host/lua"
)

// collect runs the garbage collector until the condition holds. The collector reports handles that
// it has freed on a goroutine of its own.
func collect(t *testing.T, until func() bool) {
	t.Helper()
	for range 1000 {
		if until() {
			return
		}
		runtime.GC()
		runtime.Gosched()
	}
	t.Fatal("the collector did not find what is garbage")
}

func TestAnUnreachableCoroutineLosesItsStack(t *testing.T) {
	before := goleak.IgnoreCurrent()
	d := newDriver(t, lua.Config{}, 1000)
	d.run(t, `
		for i = 1, 200 do
			local gen = coroutine.wrap(function() for j = 1, 10 do pcall(coroutine.yield, j) end end)
			gen() gen()
		end
		kept = coroutine.wrap(function() coroutine.yield(1) coroutine.yield("still here") end)
		kept()`)
	collect(t, func() bool {
		d.run(t, `coroutine.wrap(function() end)()`)
		return d.state.Suspended() == 1
	})
	d.run(t, `print(kept())`)
	require.Equal(t, "still here\n", d.out.String())
	d.close()
	goleak.VerifyNone(t, before)
	d.state = lua.New(lua.Config{}) // for the clean-up
}

func TestAProgramMayDropAnyNumberOfSuspendedCoroutines(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1000)
	f := d.start(t, `
		for i = 1, 30000 do
			local gen = coroutine.wrap(function() coroutine.yield(1) end)
			gen()
		end`)
	most := 0
	for !f.stack.Finished() {
		d.step()
		most = max(most, d.state.Suspended())
	}
	require.NoError(t, f.err)
	require.Less(t, most, 20000)
}

func TestTheGoDefersOfAnAbandonedCoroutineRunWhenTheStateCloses(t *testing.T) {
	held := 0
	s := lua.New(lua.Config{})
	s.Base().SetGlobal("with", s.Base().NewFunction(func(L *glua.LState) int {
		held++
		defer func() { held-- }()
		L.Push(L.CheckFunction(1))
		L.Call(0, 0)
		return 0
	}))
	fn, err := s.Base().LoadString(`co = {}
		for i = 1, 3 do co[i] = coroutine.wrap(function() with(function() coroutine.yield() end) end) co[i]() end`)
	require.NoError(t, err)
	_, err = s.Main().Run(&alone{}, fn)
	require.NoError(t, err)
	require.Equal(t, 3, held)
	s.Close()
	require.Zero(t, held)
}

func TestACoroutineThatHoldsItselfIsClosedWithTheState(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	s := lua.New(lua.Config{})
	fn, err := s.Base().LoadString(`
		local co co = coroutine.create(function() local me = coroutine.running() coroutine.yield() return me, co end)
		coroutine.resume(co)`)
	require.NoError(t, err)
	_, err = s.Main().Run(&alone{}, fn)
	require.NoError(t, err)
	require.Equal(t, 1, s.Suspended())
	s.Close()
	require.Zero(t, s.Suspended())
}

func TestLuaCalledByAGoDeferOfAnAbandonedCoroutineDoesNotRun(t *testing.T) {
	s := lua.New(lua.Config{})
	ran := false
	s.Base().SetGlobal("finally", s.Base().NewFunction(func(L *glua.LState) int {
		last := L.CheckFunction(2)
		defer func() {
			require.Nil(t, s.Current(), "no fiber executes")
			L.Push(last)
			L.Call(0, 0)
		}()
		L.Push(L.CheckFunction(1))
		L.Call(0, 0)
		return 0
	}))
	s.Base().SetGlobal("note", s.Base().NewFunction(func(*glua.LState) int { ran = true; return 0 }))
	fn, err := s.Base().LoadString(`coroutine.wrap(function() finally(coroutine.yield, function() note() while true do end end) end)()`)
	require.NoError(t, err)
	_, err = s.Main().Run(&alone{}, fn)
	require.NoError(t, err)
	s.Close()
	require.False(t, ran)
	require.Zero(t, s.Suspended())
}

func TestTheHostMayUseCoroutinesOnTheBase(t *testing.T) {
	s := lua.New(lua.Config{})
	defer s.Close()
	require.NoError(t, s.Base().DoString(`
		local sum = 0
		for v in coroutine.wrap(function() for i = 1, 100 do pcall(coroutine.yield, i) end end) do sum = sum + v end
		assert(coroutine.running() == nil and sum == 5050, sum)
		assert(not pcall(coroutine.yield))`))
	require.Nil(t, s.Current())
}
