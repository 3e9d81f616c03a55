package fibers_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// waits are all waits of a program; none of them ever ends.
var waits = map[string]string{
	"sleep": "i64.const 9223372036854775 call sleep",
	"send":  "i32.const 1 i64.const 7 i64.const -1 call send drop",
	"recv":  "i32.const 1 i32.const 8 i64.const -1 call recv drop",
	"join":  "i32.const 1 i32.const 8 i64.const -1 call join drop",
	"yield": "loop call yield br 0 end",
	"spin":  "loop br 0 end",
}

// The cause may be any error, also one that a wait can end with.
var causes = map[string]error{
	"a word":          errors.New("enough"),
	"a timeout":       stackful.ErrTimeout,
	"a closed object": wait.ErrClosed,
	"another's end":   &stackful.TaskError{Task: "other", Err: errors.New("failed")},
}

func TestACancelledOrKilledFiberRunsNothingMore(t *testing.T) {
	for wait, code := range waits {
		for why, cause := range causes {
			for _, early := range []bool{false, true} {
				for _, killed := range []bool{false, true} {
					name := fmt.Sprintf("%s, %s, early %v, killed %v", wait, why, early, killed)
					t.Run(name, func(t *testing.T) { endsInWait(t, code, cause, early, killed) })
				}
			}
		}
	}
}

// endsInWait makes the program's second fiber wait without a deadline. Before the wait it tells the
// host "ready", and the host ends it at once or when it waits.
func endsInWait(t *testing.T, code string, cause error, early, killed bool) {
	cfg := fibers.Config{Wasm: wasm.Config{Cache: cache}}
	cfg.Wasm.Runtime.Budget = 100
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	s := h.Runtime().Fibers().Scheduler()
	end := func(id fiber.ID) {
		stop := s.Cancel
		if killed {
			stop = s.Kill
		}
		require.NoError(t, stop(id, cause))
	}
	var victim *stackful.Task
	var own context.Context // of the call of ready
	wentOn := false
	require.NoError(t, h.Runtime().Define("test",
		wasm.Function{Name: "ready", Do: func(c *wasm.Caller, _ []uint64) error {
			own = c
			if victim = c.Fiber.Task(); early {
				end(victim.ID())
			}
			return nil
		}},
		wasm.Function{Name: "now", Do: func(*wasm.Caller, []uint64) error {
			if !early {
				end(victim.ID())
			}
			return nil
		}},
		wasm.Function{Name: "on", Do: func(*wasm.Caller, []uint64) error { wentOn = true; return nil }},
	))
	binary := assemble(`
		import "test" "ready" ready ()
		import "test" "now" end_it ()
		import "test" "on" on ()
		data 96 "sleeper"
		func run () export
			i32.const 0 call chan drop
			i32.const 96 i32.const 7 i64.const 0 call spawn drop
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			call yield call yield call yield call yield call yield
			call end_it
			i32.const 2 i32.const 8 i64.const -1 call join i32.const 1 call expect
		end
		func sleeper (i64) export i64.const 9000000000000000 call sleep end
		func child (i64) export
			call ready
			` + code + `
			call on
		end`)
	_, err = h.Run(context.Background(), "p.wasm", binary)
	require.NoError(t, err)
	require.False(t, wentOn)
	_, err, _ = victim.Result()
	require.ErrorIs(t, err, cause)
	require.ErrorIs(t, context.Cause(own), cause)
	if killed {
		require.ErrorIs(t, err, scheduler.ErrKilled)
	}
}
