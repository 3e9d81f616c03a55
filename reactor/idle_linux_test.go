package reactor_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sleeps counts how often the thread of the caller has gone to sleep by itself.
func switches(t *testing.T) int64 {
	const thread = 1 // RUSAGE_THREAD
	var use syscall.Rusage
	require.NoError(t, syscall.Getrusage(thread, &use))
	return int64(use.Nvcsw) // an int32 on 32 bits
}

// docs/design.md#defects: idle loop polling.
func TestAnIdleReactorSleeps(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	idle := 200 * time.Millisecond
	if *long {
		idle = 5 * time.Second
	}
	for _, workers := range []int{1, 4} {
		r := newReactor(t, reactor.Config{Workers: workers})
		var before int64
		_, err := run(r, func(s *slice) fiber.Outcome {
			s.Do(func(*sched) { before = switches(t) })
			return fiber.BlockOn(fiber.Until(s.Now.After(idle)))
		}, then(func(s *slice) {
			s.Do(func(*sched) {
				slept := switches(t) - before
				t.Logf("%d workers, idle for %v: %d voluntary switches", workers, idle, slept)
				assert.LessOrEqual(t, slept, int64(10))
			})
		}))
		require.NoError(t, err)
	}
}
