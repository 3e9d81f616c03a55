package lua_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	glua "github.com/yuin/gopher-lua"

	"github.com/selvage-dev/selvage/host/lua"
	"github.com/selvage-dev/selvage/host/lua/internal/vm"
)

type contextKey struct{}

// forkWith is a driver whose threads have the contexts in order, and whose programs have see(),
// which returns the value in the context of the LState that calls it.
func forkWith(t *testing.T, config lua.Config, programs ...string) *driver {
	d := newDriver(t, config, 1<<40)
	see := func(L *glua.LState) int {
		value, _ := L.Context().Value(contextKey{}).(string)
		L.Push(glua.LString(value))
		return 1
	}
	d.state.Base().SetGlobal("see", d.state.Base().NewFunction(see))
	for i, program := range programs {
		f := d.start(t, program)
		f.thread.SetContext(context.WithValue(t.Context(), contextKey{}, string(rune('a'+i))))
	}
	for d.step() {
	}
	for _, f := range d.all {
		require.NoError(t, f.err)
	}
	return d
}

func TestGoFunctionsFindTheContextOfTheirFiber(t *testing.T) {
	for name, config := range settings() {
		t.Run(name, func(t *testing.T) {
			program := `local seen = see()
				pause()
				print(seen, see(), coroutine.wrap(see)(), pcall(see))`
			require.Equal(t, "a\ta\ta\ttrue\ta\nb\tb\tb\ttrue\tb\n", forkWith(t, config, program, program).out.String())
		})
	}
}

func TestACoroutineHasTheContextOfTheFiberThatResumesIt(t *testing.T) {
	for name, config := range settings() {
		t.Run(name, func(t *testing.T) {
			d := forkWith(t, config,
				`shared = coroutine.wrap(function() while true do coroutine.yield(see()) end end) print(shared())`,
				`while not shared do pause() end print(shared(), see())`)
			require.Equal(t, "a\nb\tb\n", d.out.String())
		})
	}
}

func TestTheContextOfAGoFunctionEndsWithTheFibers(t *testing.T) {
	stop := errors.New("stop")
	for name, config := range settings() {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			d := newDriver(t, config, 1<<40)
			d.state.Base().SetGlobal("stop", d.state.Base().NewFunction(func(L *glua.LState) int {
				own := L.Context()
				require.NoError(t, own.Err())
				require.NoError(t, context.Cause(own))
				cancel(stop)
				require.Equal(t, context.Canceled, own.Err())
				require.Equal(t, stop, context.Cause(own))
				if name != "context meter" && vm.Direct(vm.Best) {
					<-own.Done()
				}
				return 0
			}))
			f := d.start(t, `stop() return "done"`)
			f.thread.SetContext(ctx)
			for d.step() {
			}
			require.NoError(t, f.err)
			require.Equal(t, glua.LString("done"), f.results[0])
		})
	}
}

func TestAThreadWithoutAContextHasNone(t *testing.T) {
	d := newDriver(t, lua.Config{}, 1<<40)
	d.state.Base().SetGlobal("look", d.state.Base().NewFunction(func(L *glua.LState) int {
		if vm.Direct(vm.Best) {
			require.Nil(t, L.Context())
		} else {
			require.NoError(t, L.Context().Err())
		}
		return 0
	}))
	require.NoError(t, d.run(t, `look() coroutine.wrap(look)()`).err)
}
