package recorder_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// yieldFor has fibers yield until the scheduler has made n transitions.
func yieldFor(s *scheduler.Scheduler[int], n uint64) {
	for s.Inspect().Transitions() < n && s.Poll() {
		for s.ScheduleNext() != nil {
			s.YieldCurrent()
		}
	}
}

func recording(t *testing.T, cfg recorder.Config, fibers int) (*recorder.Recorder, *scheduler.Scheduler[int]) {
	r := recorder.New(cfg)
	var of scheduler.Config
	r.Configure(&of)
	s := scheduler.New[int](of)
	r.Attach(&s.Core)
	for range fibers {
		_, err := s.Spawn(0)
		require.NoError(t, err)
	}
	return r, s
}

// The newest events are kept, without a gap, and the fibers of the oldest have their generations.
func TestTheMemoryIsBoundedAndTheNewestEventsAreKept(t *testing.T) {
	const size = 1 << 20
	for _, exact := range []bool{false, true} {
		var before, after runtime.MemStats
		r, s := recording(t, recorder.Config{Size: size, Exact: exact}, 40)
		for range 20 { // slots are used again
			s.Poll()
			for s.ScheduleNext() != nil {
				_, _ = s.Spawn(0)
				s.KillCurrent()
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		yieldFor(s, 600_000)
		runtime.GC()
		runtime.ReadMemStats(&after)
		assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(size+size/4))

		first, last := uint64(0), uint64(0)
		for e := range r.Events() {
			if last == 0 {
				first = e.Number
			} else {
				require.Equal(t, last+1, e.Number)
			}
			last = e.Number
			require.Equal(t, fiber.Runnable, s.Inspect().State(e.ID), e.ID) // it lives
		}
		assert.Equal(t, s.Inspect().Transitions()-1, last)
		assert.Less(t, first, last-5_000)
	}
}

func TestEachReceivesAllEventsOnce(t *testing.T) {
	var numbers []uint64
	r, s := recording(t, recorder.Config{Size: 1 << 20, Each: func(e *recorder.Event) { numbers = append(numbers, e.Number) }}, 10)
	for n := range uint64(5) {
		yieldFor(s, 30_000*n)
		r.Flush()
	}
	require.Len(t, numbers, int(s.Inspect().Transitions()))
	for i, n := range numbers {
		require.Equal(t, uint64(i), n)
	}
}

func TestADumpHasTheLastEventsAndSaysHowManyThereAre(t *testing.T) {
	r, s := recording(t, recorder.Config{Clock: func() int64 { return 0 }}, 2)
	yieldFor(s, 9)
	var text strings.Builder
	require.NoError(t, r.Dump(&text, 3))
	assert.Equal(t, `the last 3 of 10 recorded events:
          0s  f1.1 yields
          0s  f0.1 yields
          0s  f1.1 yields
`, text.String())
	text.Reset()
	require.NoError(t, r.Dump(&text, 0))
	assert.Equal(t, 10, strings.Count(text.String(), "\n"))
}
