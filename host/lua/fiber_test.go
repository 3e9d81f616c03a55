package lua_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
)

func TestFibersOfOneStateShareItsGlobals(t *testing.T) {
	d := newDriver(t, lua.Config{}, 5)
	d.run(t, `
		total = 0
		for i = 1, 10 do fork(function(n) for j = 1, n do total = total + 1; pause() end end, i) end
		while total < 55 do pause() end
		print(total)`)
	require.Equal(t, "55\n", d.out.String())
}

func TestASpinningFiberIsPutAsideAnywhereAndKeepsItsState(t *testing.T) {
	d := newDriver(t, lua.Config{}, 3)
	d.run(t, `
		local done = 0
		for i = 1, 20 do fork(function()
			local sum = 0
			for k = 1, 30 do
				local ok, v = pcall(function() return (("x"):rep(k):gsub("x", function() return "yy" end)) end)
				sum = sum + #v
			end
			assert(sum == 930, sum)
			done = done + 1
		end) end
		while done < 20 do end
		print(done)`)
	require.Equal(t, "20\n", d.out.String())
}

func TestAThousandRunawayFibersDoNotStopOneThatWorks(t *testing.T) {
	d := newDriver(t, lua.Config{}, 100)
	f := d.start(t, `
		for i = 1, 1000 do fork(function() while true do end end) end
		local n = 0
		for i = 1, 2000 do n = n + i end
		print(n)`)
	for !f.stack.Finished() {
		d.step()
	}
	require.Equal(t, "2001000\n", d.out.String())
}

func TestGoFunctionsThatMountWithoutWaitingDoNotRenewTheSlice(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1000)
	d.state.Base().SetGlobal("try", d.state.Base().NewFunction(func(*glua.LState) int {
		d.state.Current().Mount() // as after a receive that found a value at once
		return 0
	}))
	greedy := d.start(t, `while true do try() end`)
	other := d.start(t, `print("had a turn")`)
	for range 2 {
		d.step()
	}
	require.Equal(t, 1, greedy.polls)
	require.True(t, other.stack.Finished())
}

func TestResultsAndArgumentsOfAFiberAreLuaValuesOfAnyKind(t *testing.T) {
	d := newDriver(t, lua.Config{}, 2)
	for _, spawned := range []bool{false, true} {
		fn, err := d.state.Load(strings.NewReader(`local a, b = ...; return b, nil, a, select("#", ...)`), "args.lua")
		require.NoError(t, err)
		th := d.state.Main()
		if spawned {
			th = d.state.Spawn(d.state.Base())
		}
		table := &glua.LTable{}
		f := d.spawn(th, fn, glua.LTrue, table, glua.LNil)
		for d.step() {
		}
		require.NoError(t, f.err)
		require.Equal(t, []glua.LValue{table, glua.LNil, glua.LTrue, glua.LNumber(3)}, f.results)
		require.Nil(t, th.Carrier())
	}
}

func TestAFiberMayRunAGoFunction(t *testing.T) {
	d := newDriver(t, lua.Config{}, 2)
	f := d.spawn(d.state.Spawn(d.state.Base()), d.state.Base().GetField(d.state.Base().GetGlobal("string"), "rep").(*glua.LFunction), glua.LString("ab"), glua.LNumber(2))
	for d.step() {
	}
	require.NoError(t, f.err)
	require.Equal(t, []glua.LValue{glua.LString("abab")}, f.results)
}

func TestAnErrorLeavesTheFiberWithItsValueAndATraceback(t *testing.T) {
	d := newDriver(t, lua.Config{}, 2)
	f := d.run(t, `
		local function fail() error({code = 7}) end
		fail()`)
	var lerr *glua.ApiError
	require.ErrorAs(t, f.err, &lerr)
	require.Equal(t, glua.LNumber(7), lerr.Object.(*glua.LTable).RawGetString("code"))
	require.Equal(t, "stack traceback:\n\t[G]: in function 'error'\n\tprogram.lua:2: in function 'fail'\n\tprogram.lua:3: in main chunk\n\t[G]: ?", lerr.StackTrace)
}

func TestATracebackOfASpawnedFiberNamesItsFunction(t *testing.T) {
	d := newDriver(t, lua.Config{}, 2)
	d.run(t, `fork(
		function() error("lost") end)`)
	require.EqualError(t, d.all[1].err, "program.lua:2: lost\nstack traceback:\n\t[G]: in function 'error'\n\tprogram.lua:2: in function <program.lua:2>\n\t[G]: ?")
}

func TestTheErrorOfAWrappedCoroutinePassesThroughItsResumers(t *testing.T) {
	d := newDriver(t, lua.Config{}, 2)
	f := d.run(t, `coroutine.wrap(function() coroutine.wrap(function() error("deep") end)() end)()`)
	require.ErrorContains(t, f.err, "program.lua:1: deep\n")
}

func TestWhereIsTheLineOfTheInnermostCoroutine(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1000)
	f := d.start(t, `
		pause()
		coroutine.wrap(function()
			pcall(pause)
		end)()`)
	require.Empty(t, f.thread.Where())
	d.step()
	require.Equal(t, "program.lua:2", f.thread.Where())
	d.step()
	require.Equal(t, "program.lua:4", f.thread.Where())
	d.step()
	require.Empty(t, f.thread.Where())
}

func TestCoroutineRunningIsNilInTheMainFunctionOfAnyFiber(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1)
	d.run(t, `
		print(coroutine.running(), pcall(coroutine.yield))
		fork(function() print(coroutine.running(), pcall(coroutine.yield)) end)`)
	require.Equal(t, strings.Repeat("nil\tfalse\tprogram.lua:X: can not yield from outside of a coroutine\n", 2),
		strings.NewReplacer(":2:", ":X:", ":3:", ":X:").Replace(d.out.String()))
}

func TestACoroutineActiveOnOneFiberIsRefusedToAnother(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1000)
	d.run(t, `
		local co = coroutine.create(function() pause(); coroutine.yield(1); pause() end)
		fork(function() coroutine.resume(co) end)
		pause()
		print(coroutine.status(co), coroutine.resume(co))
		pause()
		print(coroutine.status(co), coroutine.resume(co))
		print(coroutine.status(co))`)
	require.Equal(t, "normal\tfalse\tcan not resume a normal thread\nsuspended\ttrue\ndead\n", d.out.String())
}

func TestAThreadRunsOnce(t *testing.T) {
	d := newDriver(t, lua.Config{}, 10)
	f := d.run(t, `return 1`)
	require.PanicsWithValue(t, "lua: Run of a thread that ran before; make one for each call: rule CLOSED (docs/invariants.md#closed)", func() {
		_, _ = f.thread.Run(f, nil)
	})
}

func TestTooManyArgumentsAreAnError(t *testing.T) {
	d := newDriver(t, lua.Config{Registry: 200}, 10)
	fn, err := d.state.Load(strings.NewReader(`return ...`), "args.lua")
	require.NoError(t, err)
	for _, n := range []int{150, 199, 200, 1000} {
		args := make([]glua.LValue, n)
		for i := range args {
			args[i] = glua.LTrue
		}
		f := d.spawn(d.state.Main(), fn, args...)
		for d.step() {
		}
		require.ErrorContains(t, f.err, "registry overflow")
	}
}

func TestCurrentThreadOfGopherLuaIsAlwaysTheOneThatRuns(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1)
	checked := 0
	d.state.Base().SetGlobal("check", d.state.Base().NewFunction(func(L *glua.LState) int {
		require.Same(t, L, L.G.CurrentThread)
		require.Same(t, d.state, d.state.Current().State())
		checked++
		return 0
	}))
	d.run(t, `
		for i = 1, 3 do fork(function()
			check() pause() check()
			for v in coroutine.wrap(function() check() coroutine.yield(1) check() pause() check() end) do check() pcall(check) end
			check()
		end) end`)
	require.Equal(t, 24, checked)
}

func TestOutputGoesWhereTheConfigSays(t *testing.T) {
	var out, errs bytes.Buffer
	s := lua.New(lua.Config{Stdout: &out, Stderr: &errs})
	defer s.Close()
	f := &alone{}
	fn, err := s.Load(strings.NewReader(`
		print("print", 1) io.write("write ", 2, "\n") io.stdout:write("method\n") io.stderr:write("problem\n")
		print(io.stdout:setvbuf("full"), io.stdout:flush(), io.flush())
		print(io.stdout:close()) print(io.close()) print(io.type(io.stdout))
		print(pcall(io.stdout.write, io.stdout, {}))
		local name = os.tmpname()
		io.output(name) io.write("to a file") print(io.close()) io.output(io.stdout)
		print(io.open(name):read("*a")) os.remove(name)`), "out.lua")
	require.NoError(t, err)
	_, err = s.Main().Run(f, fn)
	require.NoError(t, err)
	require.Equal(t, "print\t1\nwrite 2\nmethod\ntrue\ttrue\ttrue\nnil\tcannot close standard file\nnil\tcannot close standard file\nfile\n"+
		"false\tout.lua:5: bad argument #2 to (anonymous) (number or string expected, got table)\ntrue\nto a file\n", out.String())
	require.Equal(t, "problem\n", errs.String())
}
