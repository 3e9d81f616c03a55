package wasm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

// Any input is either refused with an error, or its functions run, and are stopped after some time
// slices. The runtime works afterwards.
func FuzzModule(f *testing.F) {
	for _, text := range []string{"", wrong, endless, mixed, spinner, loops, turns, producerAndConsumer} {
		f.Add(asm.Assemble(text))
	}
	f.Fuzz(func(t *testing.T, binary []byte) {
		rt := wasm.New(wasm.Config{Runtime: budget(1000), MemoryPages: 16, TableEntries: 1000})
		defer rt.Close()
		require.NoError(t, rt.Define("env", wasm.Function{Name: "host", Params: i64s(1), Results: i64s(1),
			Do: func(c *wasm.Caller, stack []uint64) error { return c.Fiber.Yield() }}))
		good, err := rt.Compile("good", asm.Assemble(turnless))
		require.NoError(t, err)
		m, err := rt.Compile("fuzzed", binary)
		if err != nil {
			require.ErrorAs(t, err, new(*wasm.ModuleError))
			return
		}
		fuzzed := start(rt, m, "run", 1)
		_, err = rt.Fibers().Go("stopper", func(f *stackful.Fiber) (any, error) {
			for range 20 {
				_ = f.Yield()
			}
			rt.Fibers().Scheduler().Kill(fuzzed.ID(), errStop)
			return nil, nil
		})
		require.NoError(t, err)
		require.NoError(t, rt.Fibers().Run(context.Background()))
		after := start(rt, good, "add", 2, 3)
		require.NoError(t, rt.Fibers().Run(context.Background()))
		v, err, _ := after.Result()
		require.NoError(t, err)
		require.Equal(t, []uint64{5}, v)
	})
}

const turnless = "func add (i64 i64) (i64) export local.get 0 local.get 1 i64.add end"
