package wasm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero/api"

	"github.com/selvage-dev/selvage/host/wasm"
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
	require.ErrorContains(t, err, "called on a fiber of another runtime (contract")
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
