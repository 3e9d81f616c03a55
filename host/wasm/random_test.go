package wasm_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/internal/asm"
	"github.com/selvage-dev/selvage/stackful"
)

// mixed is a guest that does what the bits of a number say, one after the other: it goes
// on computing, calls the host, which waits or calls back, or traps.
const mixed = `
	import "env" "host" host (i64) (i64)
	memory 1
	func run (i64) (i64) export
		loop
			local.get 0 i64.const 7 i64.and
			i64.const 3 i64.lt_u if i64.const 300 call spin drop end
			local.get 0 i64.const 63 i64.and i64.const 63 i64.eq if unreachable end
			local.get 0 i64.const 3 i64.shr_u call host drop
			local.get 0 i64.const 5 i64.shr_u local.tee 0 i64.eqz i32.eqz br_if 0
		end
		i64.const 0
	end
	func spin (i64) (i64) export
		loop local.get 0 i64.const 1 i64.sub local.tee 0 i64.const 0 i64.gt_s br_if 0 end
		local.get 0
	end
	func fall () export unreachable end`

// mix is the host function of mixed.
func mix(c *wasm.Caller, n int64) (int64, error) {
	switch n & 7 {
	case 0:
		return 0, c.Fiber.Sleep(time.Duration(n & 63))
	case 1:
		return 0, c.Fiber.Yield()
	case 2:
		_, err := c.Instance().Call(c.Fiber, "run", uint64(n)>>6)
		return 0, err
	case 3:
		_, _ = c.Instance().Call(c.Fiber, "fall")
		return 0, nil
	case 4:
		_, _ = c.Instance().Call(c.Fiber, "run", uint64(n)>>6)
		return 0, nil
	case 5:
		if n&127 == 5 {
			panic("now and then")
		}
	}
	return 0, nil
}

// Whatever fibers do, whenever they are killed or cancelled: each ends, nothing of them is
// left, and an instance that has failed computes what it computed before.
func TestRandomProgramsWithRandomKillsLeaveNothing(t *testing.T) {
	code := asm.Assemble(mixed)
	rapid.Check(t, func(t *rapid.T) {
		rt := wasm.New(wasm.Config{Runtime: budget(rapid.SampledFrom([]int{1, 10, 100, 10_000}).Draw(t, "slice")), Nesting: 20})
		defer rt.Close()
		require.NoError(t, rt.Define("env", wasm.Function{Name: "host", Params: i64s(1), Results: i64s(1),
			Do: func(c *wasm.Caller, stack []uint64) error { _, err := mix(c, int64(stack[0])); return err }}))
		m, err := rt.Compile("mixed", code)
		require.NoError(t, err)
		var ids []fiber.ID
		for _, program := range rapid.SliceOfN(rapid.Uint64(), 1, 12).Draw(t, "programs") {
			task, err := rt.Fibers().Go("guest", func(f *stackful.Fiber) (any, error) {
				return nil, guestLife(t, m, f, program)
			})
			require.NoError(t, err)
			ids = append(ids, task.ID())
		}
		stops := rapid.SliceOfN(rapid.IntRange(0, 4*len(ids)), 0, 30).Draw(t, "stops")
		_, err = rt.Fibers().Go("stopper", func(f *stackful.Fiber) (any, error) {
			for _, n := range stops {
				_ = f.Sleep(time.Duration(n))
				if id := ids[n%len(ids)]; n%2 == 0 {
					rt.Fibers().Scheduler().Kill(id, errStop)
				} else {
					_ = rt.Fibers().Scheduler().Cancel(id, errStop)
				}
			}
			return nil, nil
		})
		require.NoError(t, err)
		require.NoError(t, rt.Fibers().Run(context.Background()))
		s := rt.Fibers().Scheduler()
		require.Zero(t, s.Inspect().Live())
		require.Zero(t, s.Inspect().LiveTrampolines())
		require.Equal(t, s.Inspect().Counts().Spawned, s.Inspect().Counts().Ended)
	})
}

// guestLife runs the program; if it fails and may go on, the instance is tried again.
func guestLife(t *rapid.T, m *wasm.Module, f *stackful.Fiber, program uint64) error {
	i, err := m.Instantiate(f, nil)
	if err != nil {
		return err
	}
	defer i.Close()
	if _, err = i.Call(f, "run", program); err == nil || f.Checkpoint() != nil {
		return err
	}
	if left, again := i.Call(f, "spin", 3); again == nil && left[0] != 0 {
		t.Errorf("after %v the instance computes %d", err, left)
	}
	return err
}
