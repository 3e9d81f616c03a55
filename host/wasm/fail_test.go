package wasm_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/meter"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

// wrong is a module with all that can go wrong while it runs.
const wrong = `
	import "env" "host" the_host (i64) (i64)
	import "raw" "text" the_raw ()
	memory 1 2
	table 2
	func unreachable () export unreachable end
	func load () export i32.const -1 i32.load drop end
	func divide () export i32.const 1 i32.const 0 i32.div_s drop end
	func indirect () export i32.const 1 call_indirect end
	func recurse () export call recurse call recurse end
	func host (i64) export local.get 0 call the_host drop end
	func raw () export call the_raw end
	func outer () export call unreachable end
	func grow (i32) (i32) export local.get 0 memory.grow end
	func add (i64 i64) (i64) export local.get 0 local.get 1 i64.add end`

// What the host function does wrong, by its argument.
const (
	returnsError = iota
	panicsWithError
	panicsWithText
	panicsWithNil
	panicsAtRuntime
	returnsDouble
)

func (s *stage) defineWrong() *wasm.Module {
	s.define(map[string]func(*wasm.Caller, int64) (int64, error){
		"host": func(_ *wasm.Caller, n int64) (int64, error) {
			switch n {
			case returnsError:
				return 0, errWanted
			case panicsWithError:
				panic(errWanted)
			case panicsWithText:
				panic("a text")
			case panicsWithNil:
				panic(nil)
			case panicsAtRuntime:
				return int64([]int{}[n]), nil
			}
			return 2 * n, nil
		},
	})
	_, err := s.Engine().NewHostModuleBuilder("raw").NewFunctionBuilder().
		WithGoFunction(api.GoFunc(func(context.Context, []uint64) { panic("raw text") }), nil, nil).Export("text").Instantiate(context.Background())
	require.NoError(s.t, err)
	return s.compile("wrong.wasm", wrong)
}

// hostPanic looks for a *HostPanic with the value.
func hostPanic(t *testing.T, err error, value any) {
	var p *wasm.HostPanic
	require.ErrorAs(t, err, &p)
	require.Equal(t, value, p.Value)
	require.Equal(t, "env.host", p.Function)
	require.Contains(t, string(p.Stack), "fail_test.go")
}

// The same instance fails in every way, one after the other, and works after each.
func TestAnInstanceGoesOnAfterWhateverItsCallsEndedWith(t *testing.T) {
	trap := func(want wasm.Trap) func(*testing.T, error) {
		return func(t *testing.T, err error) { require.ErrorIs(t, err, want) }
	}
	failures := []struct {
		function string
		args     []uint64
		check    func(*testing.T, error)
	}{
		{"unreachable", nil, trap(wasm.Unreachable)},
		{"load", nil, trap(wasm.OutOfBounds)},
		{"divide", nil, trap(wasm.DivisionByZero)},
		{"indirect", nil, trap(wasm.BadTableAccess)},
		{"recurse", nil, trap(wasm.StackOverflow)},
		{"host", []uint64{returnsError}, func(t *testing.T, err error) { require.ErrorIs(t, err, errWanted) }},
		{"host", []uint64{panicsWithError}, func(t *testing.T, err error) {
			hostPanic(t, err, errWanted)
			require.ErrorIs(t, err, errWanted)
		}},
		{"host", []uint64{panicsWithText}, func(t *testing.T, err error) {
			hostPanic(t, err, "a text")
			require.EqualError(t, err, "wrong.wasm: host: env.host panicked: a text")
		}},
		{"host", []uint64{panicsWithNil}, func(t *testing.T, err error) {
			require.ErrorAs(t, err, new(*runtime.PanicNilError))
		}},
		{"host", []uint64{panicsAtRuntime}, func(t *testing.T, err error) {
			require.ErrorContains(t, err, "index out of range")
		}},
		{"raw", nil, func(t *testing.T, err error) {
			require.EqualError(t, err, "wrong.wasm: raw: a host function panicked: raw text")
		}},
		{"nowhere", nil, func(t *testing.T, err error) { require.ErrorIs(t, err, wasm.ErrNoFunction) }},
		{"add", []uint64{1}, func(t *testing.T, err error) { require.ErrorContains(t, err, "expected 2 params") }},
	}
	each(t, wasm.Config{}, func(s *stage) {
		m := s.defineWrong()
		s.spawn("failing", m, func(f *stackful.Fiber, i *wasm.Instance) error {
			for _, failure := range failures {
				_, err := i.Call(f, failure.function, failure.args...)
				var typed *wasm.CallError
				require.ErrorAs(s.t, err, &typed, failure.function)
				require.Equal(s.t, "wrong.wasm", typed.Module)
				require.Equal(s.t, failure.function, typed.Function)
				require.False(s.t, typed.TakeInterrupt())
				failure.check(s.t, err)
				sum, err := i.Call(f, "add", 2, 3)
				require.NoError(s.t, err)
				require.Equal(s.t, []uint64{5}, sum)
				_, err = i.Call(f, "host", returnsDouble)
				require.NoError(s.t, err)
			}
			s.say("went through all")
			return nil
		})
		s.run()
		require.Equal(s.t, []string{"went through all"}, s.lines)
	})
}

func TestAFailureTellsTheFunctionsItWasIn(t *testing.T) {
	s := newStage(t, wasm.Config{})
	m := s.defineWrong()
	s.spawn("traced", m, func(f *stackful.Fiber, i *wasm.Instance) error {
		_, err := i.Call(f, "outer")
		var typed *wasm.CallError
		require.ErrorAs(t, err, &typed)
		require.Equal(t, []string{".unreachable()", ".outer()"}, typed.Trace)
		require.EqualError(t, err, "wrong.wasm: outer: trap: unreachable")
		return nil
	})
	s.run()
}

func TestMemoryCannotGrowPastTheLimit(t *testing.T) {
	s := newStage(t, wasm.Config{MemoryPages: 10})
	m := s.defineWrong()
	_, err := s.Compile("large", asm.Assemble("memory 11"))
	require.ErrorContains(t, err, "large: ")
	require.ErrorAs(t, err, new(*wasm.ModuleError))
	unbounded := s.compile("unbounded", "memory 1 func grow (i32) (i32) export local.get 0 memory.grow end")
	for module, room := range map[*wasm.Module]uint64{m: 1, unbounded: 9} {
		s.spawn("grower", module, func(f *stackful.Fiber, i *wasm.Instance) error {
			for _, step := range []struct{ pages, want uint64 }{{room + 1, 0xffffffff}, {65535, 0xffffffff}, {room, 1}, {1, 0xffffffff}} {
				got, err := i.Call(f, "grow", step.pages)
				require.NoError(t, err)
				require.Equal(t, step.want, got[0])
			}
			return nil
		})
	}
	s.run()
}

func TestAModuleThatIsNoneIsRefusedWhenItIsCompiled(t *testing.T) {
	s := newStage(t, wasm.Config{})
	for binary, want := range map[string]string{
		"":                            "bad.wasm: offset 0x0, module: this is not WebAssembly",
		"#!/bin/sh":                   "bad.wasm: offset 0x0, module: this is not WebAssembly",
		"\x00asm\x01\x00\x00\x00\x01": "bad.wasm: offset 0x9, module: unexpected end",
		string(asm.Assemble("func f () i32.const 1 end")): "bad.wasm: ", // the engine's: a value is left over
	} {
		_, err := s.Compile("bad.wasm", []byte(binary))
		require.ErrorAs(t, err, new(*wasm.ModuleError))
		require.ErrorContains(t, err, want)
	}
	_, err := s.Compile("bad.wasm", nil)
	require.ErrorAs(t, err, new(*meter.Error))
}

func TestUnknownImportsAreAllNamed(t *testing.T) {
	s := newStage(t, wasm.Config{})
	s.define(map[string]func(*wasm.Caller, int64) (int64, error){"known": nil})
	m := s.compile("app.wasm", `import "env" "known" a (i64) (i64)
		import "env" "unknown" b ()  import "away" "f" c ()`)
	err := s.alone(func(f *stackful.Fiber) error {
		_, err := m.Instantiate(f, nil)
		return err
	})
	require.ErrorAs(t, err, new(*wasm.ImportError))
	require.EqualError(t, err, "app.wasm: imports away.f, env.unknown, which nobody provides")
}

func TestAnImportOfAnotherTypeIsRefused(t *testing.T) {
	s := newStage(t, wasm.Config{})
	s.define(map[string]func(*wasm.Caller, int64) (int64, error){"known": nil})
	m := s.compile("app.wasm", `import "env" "known" a (i32) (i64)`)
	err := s.alone(func(f *stackful.Fiber) error {
		_, err := m.Instantiate(f, nil)
		return err
	})
	require.ErrorAs(t, err, new(*wasm.ModuleError))
	require.ErrorContains(t, err, "signature mismatch")
}

func TestAStartFunctionRunsOnTheFiberAndMayFail(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"nap": func(c *wasm.Caller, n int64) (int64, error) {
				require.Nil(t, c.Instance())
				return n, c.Fiber.Sleep(1)
			},
		})
		good := s.compile("good.wasm", `import "env" "nap" nap (i64) (i64)
			global g i64 0  start init
			func init () loop
				i64.const 5 call nap drop
				global.get g i64.const 1 i64.add global.set g
				global.get g i64.const 500 i64.lt_s br_if 0
			end end
			func get () (i64) export global.get g end`)
		got := s.call(good, "get")
		bad := s.call(s.compile("bad.wasm", "start init func init () unreachable end"), "get")
		s.run()
		require.EqualValues(t, 500, s.result(got))
		err := failure(t, bad)
		require.ErrorIs(t, err, wasm.Unreachable)
		require.EqualError(t, err, "bad.wasm: (start): trap: unreachable")
	})
}

func TestSegmentsThatDoNotFitAreAnErrorOfTheModule(t *testing.T) {
	s := newStage(t, wasm.Config{})
	m := s.compile("app.wasm", `memory 1 1 data 65535 "ab"`)
	err := s.alone(func(f *stackful.Fiber) error {
		_, err := m.Instantiate(f, nil)
		return err
	})
	require.ErrorAs(t, err, new(*wasm.ModuleError))
}

// The error of an inner call goes out through the outer one, with both names, unless the
// host function between them keeps it.
func TestAnErrorGoesThroughTheHostFunctionBetween(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"inner": func(c *wasm.Caller, keep int64) (int64, error) {
				_, err := c.Instance().Call(c.Fiber, "fail")
				require.ErrorIs(t, err, wasm.Unreachable)
				if keep != 0 {
					return 7, nil
				}
				return 0, err
			},
		})
		m := s.compile("app.wasm", `import "env" "inner" inner (i64) (i64)
			func fail () export unreachable end
			func run (i64) (i64) export local.get 0 call inner end`)
		kept, passed := s.call(m, "run", 1), s.call(m, "run", 0)
		s.run()
		require.EqualValues(t, 7, s.result(kept))
		err := failure(t, passed)
		require.EqualError(t, err, "app.wasm: run: app.wasm: fail: trap: unreachable")
		require.ErrorIs(t, err, wasm.Unreachable)
	})
}

func TestRecursionThroughTheHostEndsAtTheLimit(t *testing.T) {
	each(t, wasm.Config{Nesting: 100}, func(s *stage) {
		calls := 0
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"again": func(c *wasm.Caller, n int64) (int64, error) {
				calls++
				_, err := c.Instance().Call(c.Fiber, "run")
				return n, err
			},
		})
		m := s.compile("deep.wasm", `import "env" "again" again (i64) (i64)
			func run () export i64.const 0 call again drop end`)
		task := s.call(m, "run")
		s.run()
		require.ErrorIs(t, failure(t, task), wasm.ErrTooDeep)
		require.Equal(t, 100, calls)
	})
}

func TestAnInstanceIsRefusedToASecondFiberWhileItIsInUse(t *testing.T) {
	each(t, wasm.Config{Runtime: budget(100)}, func(s *stage) {
		m := s.compile("spin", "func spin (i64) export loop local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0 end end")
		var shared *wasm.Instance
		s.spawn("owner", m, func(f *stackful.Fiber, i *wasm.Instance) error {
			shared = i
			_, err := i.Call(f, "spin", 1000)
			require.NoError(t, err)
			require.NoError(t, f.Sleep(1))
			return nil
		})
		_, err := s.Fibers().Go("other", func(f *stackful.Fiber) (any, error) {
			require.NoError(t, f.Yield())
			_, err := shared.Call(f, "spin", 1)
			require.ErrorIs(t, err, wasm.ErrBusy)
			for errors.Is(err, wasm.ErrBusy) {
				require.NoError(t, f.Yield())
				_, err = shared.Call(f, "spin", 1)
			}
			require.NoError(t, err, "it is free when the call has ended")
			return nil, nil
		})
		require.NoError(t, err)
		s.run()
	})
}
