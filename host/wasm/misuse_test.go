package wasm_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/frame"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

func TestWasmIsNotCalledPastTheFiber(t *testing.T) {
	s := newStage(t, wasm.Config{})
	m := s.defineSpinner()
	s.spawn("past", m, func(f *stackful.Fiber, i *wasm.Instance) error {
		_, err := i.Module().ExportedFunction("yields").Call(context.Background(), 1)
		require.ErrorContains(t, err, "env.yield called outside of a fiber: call wasm by Instance.Call")
		return nil
	})
	s.run()
}

func TestAFiberOfAnotherRuntimeIsRefused(t *testing.T) {
	s, other := newStage(t, wasm.Config{}), newStage(t, wasm.Config{})
	m := s.compile("empty", "")
	err := other.alone(func(f *stackful.Fiber) error {
		_, err := m.Instantiate(f, nil)
		return err
	})
	require.ErrorContains(t, err, "called on a fiber of another runtime: rule SAME-SCHEDULER")
}

func TestAModuleOfHostFunctionsIsDefinedOnce(t *testing.T) {
	s := newStage(t, wasm.Config{})
	require.NoError(t, s.Define("env", wasm.Function{Name: "f", Do: func(*wasm.Caller, []uint64) error { return nil }}))
	require.ErrorContains(t, s.Define("env"), "env: ")
}

func TestFibersOfAnotherHostRunWasmToo(t *testing.T) {
	fibers := stackful.New(budget(50))
	defer fibers.Close()
	rt := wasm.NewOn(fibers, wasm.Config{})
	defer rt.Close()
	sites := []string{}
	require.NoError(t, rt.Define("env", wasm.Function{
		Name: "yield", Params: i64s(1), Results: i64s(1),
		Do: func(c *wasm.Caller, _ []uint64) error {
			id, _ := c.Fiber.ID().Regular()
			sites = append(sites, rt.Site(id))
			require.Equal(t, []frame.Frame{{Function: "env.yield"}, {Function: "yields", File: "guest"}}, rt.Stack(id))
			require.Equal(t, "yields", rt.Function(id))
			return c.Fiber.Yield()
		},
	}))
	s := &stage{Runtime: rt, t: t}
	task := s.call(s.compile("guest", spinner), "yields", 2)
	s.run()
	_, err, _ := task.Result()
	require.NoError(t, err)
	require.Equal(t, []string{"guest: yields → env.yield", "guest: yields → env.yield"}, sites)
	id, _ := task.ID().Regular()
	require.Empty(t, rt.Site(id), "it has ended")
	require.Nil(t, rt.Stack(id))
	require.Empty(t, rt.Function(id))
}

func TestFunctionsMadeWithTheEnginesBuilderFindTheirFiber(t *testing.T) {
	s := newStage(t, wasm.Config{})
	var seen *stackful.Fiber
	_, err := s.Engine().NewHostModuleBuilder("raw").NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, _ []uint64) {
			type key struct{}
			seen = wasm.CallerOf(context.WithValue(ctx, key{}, 1)).Fiber
			require.NoError(t, seen.Sleep(5))
		}), nil, nil).Export("nap").Instantiate(context.Background())
	require.NoError(t, err)
	require.Nil(t, wasm.CallerOf(context.Background()))
	m := s.compile("raw", `import "raw" "nap" nap () func run () export call nap end`)
	s.spawn("raw", m, func(f *stackful.Fiber, i *wasm.Instance) error {
		_, err := i.Call(f, "run")
		require.Same(t, f, seen)
		return err
	})
	s.run()
	require.EqualValues(t, 5, s.Fibers().Scheduler().Now())
}

// Its memory is still used by the call that closes it, and by the ones further out.
func TestAnInstanceThatIsClosedInACallIsFreedAtItsEnd(t *testing.T) {
	each(t, wasm.Config{}, func(s *stage) {
		s.define(map[string]func(*wasm.Caller, int64) (int64, error){
			"close": func(c *wasm.Caller, depth int64) (int64, error) {
				if depth > 0 {
					r, err := c.Instance().Call(c.Fiber, "run", uint64(depth-1))
					return int64(r[0]), err
				}
				c.Instance().Close()
				return 0, c.Fiber.Yield()
			},
		})
		m := s.compile("closed", `import "env" "close" close (i64) (i64)
			memory 1
			func run (i64) (i64) export
				i32.const 0 i32.const 0 i64.load i64.const 1 i64.add i64.store
				local.get 0 call close drop
				i32.const 0 i64.load
			end`)
		s.spawn("closer", m, func(f *stackful.Fiber, i *wasm.Instance) error {
			r, err := i.Call(f, "run", 3)
			require.NoError(t, err)
			require.Equal(t, []uint64{4}, r)
			_, err = i.Call(f, "run", 0)
			require.ErrorAs(t, err, new(*wasm.CallError))
			return nil
		})
		s.run()
	})
}

func TestModulesAreCompiledByOtherGoroutinesWhileFibersRun(t *testing.T) {
	s := newStage(t, wasm.Config{Runtime: budget(50)})
	m := s.defineSpinner()
	sender := s.Fibers().Scheduler().Inbox().NewSender()
	var compiled sync.WaitGroup
	for range 4 {
		compiled.Go(func() {
			for range 5 {
				other, err := s.Compile("other", asm.Assemble(spinner))
				if err == nil {
					other.Close()
				}
			}
		})
	}
	go func() {
		compiled.Wait()
		sender.Close()
	}()
	for range 10 {
		s.call(m, "spins", 10_000)
	}
	s.run()
}
