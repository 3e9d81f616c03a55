package inspect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// recordedRun has fibers that yield in turn, one of which ends and one of which sleeps at the end.
func recordedRun(t *testing.T, turns int) (*scheduler.Scheduler[int], *recorder.Recorder) {
	now := int64(0)
	r := recorder.New(recorder.Config{Exact: true, Clock: func() int64 { now += 10; return now }})
	var cfg scheduler.Config
	r.Configure(&cfg)
	s := scheduler.New[int](cfg)
	r.Attach(&s.Core)
	for i := range 3 {
		_, err := s.Spawn(i)
		require.NoError(t, err)
	}
	for range 3 * turns {
		schedule(s)
		s.YieldCurrent()
	}
	schedule(s)
	s.Arm(fiber.Until(1 << 40))
	s.Block()
	schedule(s)
	_, _ = s.Exit(nil, nil)
	s.Poll()
	return s, r
}

func schedule(s *scheduler.Scheduler[int]) {
	for s.ScheduleNext() == nil {
		s.Poll()
	}
}

// The slices of a fiber follow each other without a gap or overlap, in the states of its events.
func TestTheSlicesOfAFiberFollowEachOther(t *testing.T) {
	_, r := recordedRun(t, 100)
	h := Recorded(r)
	from, to := h.Span()
	last := map[fiber.ID]Slice{}
	running := 0
	for _, s := range h.Slices(from, to, 1<<30) {
		require.Less(t, s.From, s.To)
		if before, known := last[s.Fiber]; known {
			require.Equal(t, before.To, s.From, "%v", s.Fiber)
			require.NotEqual(t, before.State, s.State)
		}
		last[s.Fiber] = s
		if s.State == "running" {
			running++
		}
	}
	require.Greater(t, running, 300)
	ids := map[uint32]string{0: "timer", 1: "running", 2: "runnable"}
	for index, state := range ids {
		require.Equal(t, state, last[fiber.NewRegularID(index, 1).ID()].State)
	}
}

func TestTheHistoryOfAFiberEndsWithItsLastEvent(t *testing.T) {
	_, r := recordedRun(t, 100)
	h := Recorded(r)
	events := h.Events(fiber.NewRegularID(0, 1).ID(), 5)
	require.Len(t, events, 5)
	require.Equal(t, "sleeps", events[4].What)
	require.Equal(t, "yields", events[3].What)
	require.Less(t, events[3].Transition, events[4].Transition)
	ended := h.Events(fiber.NewRegularID(1, 1).ID(), 5)
	require.Equal(t, "ends", ended[4].What)
	require.Empty(t, h.Events(fiber.NewRegularID(9, 1).ID(), 5))
}

// Of more events than it keeps it has the last, in order.
func TestAHistoryHasTheLastEvents(t *testing.T) {
	s, r := recordedRun(t, recent/2)
	h := &recording{of: r}
	h.refresh()
	require.Len(t, h.events, recent)
	for i := 1; i < len(h.events); i++ {
		require.Less(t, h.events[i-1].Number, h.events[i].Number)
	}
	require.Equal(t, s.Inspect().Transitions(), h.events[recent-1].Number+1)
}

func TestWhatIsNotRecordedIsEmpty(t *testing.T) {
	h := Recorded(recorder.New(recorder.Config{}))
	from, to := h.Span()
	require.Zero(t, from+to)
	require.Empty(t, h.Slices(0, 1<<60, 10))
}
