package wasm_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"
	"go.uber.org/goleak"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/fibers"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

// crossing is a Lua host whose programs have a function through(f, n): it calls f(n) from
// inside wasm, on the same fiber.
type crossing struct {
	*fibers.Host
	wasm      *wasm.Runtime
	module    *wasm.Module
	callbacks map[fiber.ID][]callback // the calls of through that a fiber is in
	failures  []error
}

type callback struct {
	thread *lua.Thread
	L      *glua.LState
	fn     *glua.LFunction
}

func newCrossing(t *testing.T, budget int) *crossing {
	known := goleak.IgnoreCurrent()
	var cfg fibers.Config
	cfg.Runtime.Budget = budget
	x := &crossing{Host: fibers.New(cfg), callbacks: map[fiber.ID][]callback{}}
	x.wasm = wasm.NewOn(x.Runtime(), wasm.Config{})
	t.Cleanup(func() {
		x.Host.Close()
		x.wasm.Close()
		require.Zero(t, x.Runtime().Scheduler().Inspect().LiveTrampolines())
		goleak.VerifyNone(t, known)
	})
	require.NoError(t, x.wasm.Define("lua", wasm.Function{Name: "call", Params: i64s(1), Results: i64s(1), Do: x.call}))
	var err error
	x.module, err = x.wasm.Compile("middle.wasm", asm.Assemble(`
		import "lua" "call" call (i64) (i64)
		func outer (i64) (i64) export local.get 0 call inner end
		func inner (i64) (i64) local.get 0 call call i64.const 1 i64.add end`))
	require.NoError(t, err)
	L := x.State().Base()
	L.SetGlobal("through", L.NewFunction(x.through))
	return x
}

// through is Lua calling wasm.
func (x *crossing) through(L *glua.LState) int {
	s, thread := x.Runtime().Scheduler(), x.State().Current()
	id, _ := s.Current().Regular()
	slot, _ := s.Fiber(id)
	f := slot.Data
	x.callbacks[f.ID()] = append(x.callbacks[f.ID()], callback{thread, L, L.CheckFunction(1)})
	result, err := x.enter(f, uint64(L.CheckInt(2)))
	calls := x.callbacks[f.ID()]
	x.callbacks[f.ID()] = calls[:len(calls)-1]
	thread.Mount()
	var raised *glua.ApiError
	switch {
	case errors.As(err, new(*stackful.Interrupt)):
		thread.Unwind()
	case errors.As(err, &raised):
		x.failures = append(x.failures, err)
		L.Error(raised.Object, 0)
	case err != nil:
		L.RaiseError("%v", err)
	}
	L.Push(glua.LNumber(result))
	return 1
}

func (x *crossing) enter(f *stackful.Fiber, n uint64) (uint64, error) {
	i, err := x.module.Instantiate(f, nil)
	if err != nil {
		return 0, err
	}
	defer i.Close()
	results, err := i.Call(f, "outer", n)
	if err != nil {
		return 0, err
	}
	return results[0], nil
}

// call is wasm calling Lua.
func (x *crossing) call(c *wasm.Caller, stack []uint64) error {
	calls := x.callbacks[c.Fiber.ID()]
	cb := calls[len(calls)-1]
	cb.thread.Mount() // the wasm code may have been put aside
	err := cb.L.CallByParam(glua.P{Fn: cb.fn, NRet: 1, Protect: true}, glua.LNumber(stack[0]))
	if err != nil {
		return err
	}
	stack[0] = uint64(int64(glua.LVAsNumber(cb.L.Get(-1))))
	cb.L.Pop(1)
	return nil
}

func (x *crossing) run(t *testing.T, program string) []glua.LValue {
	t.Helper()
	values, err := x.Run(t.Context(), strings.NewReader(program), "p.lua")
	require.NoError(t, err)
	return values
}

func TestLuaAndWasmCallEachOtherAndWaitAtAnyDepth(t *testing.T) {
	x := newCrossing(t, 50)
	values := x.run(t, `
		local function deep(n)
			if n == 0 then fiber.sleep(1) return 0 end
			for i = 1, 30 do end
			return through(deep, n - 1)
		end
		local a, b = fiber.spawn(deep, 10), fiber.spawn(deep, 20)
		local _, ra = a:join()
		local _, rb = b:join()
		return ra, rb, fiber.now()`)
	require.Equal(t, []glua.LValue{glua.LNumber(10), glua.LNumber(20), glua.LNumber(1)}, values)
}

// The error goes through the wasm frames, with its value, to the pcall around them; what
// is told of it shows the Lua code on both sides and the wasm code between.
func TestALuaErrorIsCaughtOnTheOtherSideOfWasm(t *testing.T) {
	x := newCrossing(t, 50)
	values := x.run(t, `
		local thrown = { code = 5 }
		local function inner() error(thrown) end
		local function outer() return through(inner, 0) end
		local ok, caught = pcall(outer)
		return ok, caught == thrown, through(function(n) return n * 2 end, 4)`)
	require.Equal(t, []glua.LValue{glua.LFalse, glua.LTrue, glua.LNumber(9)}, values)
	require.Len(t, x.failures, 1)
	var call *wasm.CallError
	require.ErrorAs(t, x.failures[0], &call)
	require.Equal(t, []string{"lua.call(i64) i64", ".inner(i64) i64", ".outer(i64) i64"}, call.Trace)
	var raised *glua.ApiError
	require.ErrorAs(t, x.failures[0], &raised)
	require.Contains(t, raised.StackTrace, "p.lua:3")
	require.Contains(t, raised.StackTrace, "p.lua:4")
}

// No pcall keeps a fiber alive, on whichever side it is when it is stopped.
func TestAStoppedFiberIsCaughtOnNeitherSide(t *testing.T) {
	for _, program := range []string{
		`while true do pcall(through, function() while true do end end, 0) end`,
		`while true do pcall(through, function() fiber.sleep(1e6) end, 0) end`,
		`through(function() while true do pcall(through, function() fiber.sleep(1e6) end, 0) end end, 0)`,
	} {
		x := newCrossing(t, 50)
		ctx, cancel := context.WithCancel(t.Context())
		x.State().Base().SetGlobal("stop", x.State().Base().NewFunction(func(*glua.LState) int { cancel(); return 0 }))
		_, err := x.Run(ctx, strings.NewReader("fiber.spawn(function() fiber.yield() stop() end) "+program), "p.lua")
		require.ErrorIs(t, err, context.Canceled)
	}
}
