//go:build !race

package fibers_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/wasm"
	"github.com/selvage-dev/selvage/host/wasm/fibers"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// isOpen returns whether this process has a file open.
func isOpen(t *testing.T, name string) bool {
	open, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	for _, fd := range open {
		if target, err := os.Readlink(fd); err == nil && target == name {
			return true
		}
	}
	return false
}

// The fiber is cancelled after a worker has opened its file, and before it learns of that: the fiber
// that cancels it lets no other run in between.
func TestAFileThatIsOpenedForAFiberThatHasGivenUpIsClosed(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector closes files too
	name := filepath.Join(t.TempDir(), "f")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	cfg := fibers.Config{Access: sandbox.Access{Dirs: []sandbox.Dir{{Host: filepath.Dir(name), Guest: "/data"}}}}
	cfg.Wasm.Runtime.Clock = wallclock.New()
	h, err := fibers.New(cfg)
	require.NoError(t, err)
	defer h.Close()
	ctx, end := context.WithCancel(t.Context())
	sched := h.Runtime().Fibers().Scheduler()
	require.NoError(t, h.Runtime().Define("test", wasm.Function{Name: "ready", Do: func(c *wasm.Caller, _ []uint64) error {
		victim, before := c.Fiber.Task().ID(), sched.Ops().Counters().Submitted
		_, err := h.Runtime().Fibers().Go("witness", func(f *stackful.Fiber) (any, error) {
			defer end()
			require.Equal(t, before+1, sched.Ops().Counters().Submitted)
			if err := f.Yield(); err != nil { // the poll passes the operation to a worker
				return nil, err
			}
			for !isOpen(t, name) {
				runtime.Gosched()
			}
			require.NoError(t, sched.Cancel(victim, nil))
			return nil, nil
		})
		return err
	}}))
	_, err = h.Run(ctx, "p.wasm", assemble(`
		import "test" "ready" ready ()
		import "wasi_snapshot_preview1" "path_open" open (i32 i32 i32 i32 i32 i64 i64 i32 i32) (i32)
		data 96 "fg"
		func try (i32)
			i32.const 3 i32.const 0 local.get 0 i32.const 1 i32.const 0 i64.const 2 i64.const 0 i32.const 0 i32.const 8 call open drop
		end
		func run () export
			i32.const 64 i32.const 5 i64.const 0 call spawn drop
			i64.const 9000000000000 call sleep
		end
		func child (i64) export
			i32.const 97 call try ;; opens the directory
			call ready
			i32.const 96 call try
			unreachable
		end`))
	require.ErrorIs(t, err, context.Canceled)
	h.Close() // waits for the worker
	require.False(t, isOpen(t, name), "it is open still")
}
