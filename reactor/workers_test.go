package reactor

import (
	"context"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reportsTwice is a machine that posts the result of each slice before the worker does.
type reportsTwice struct{ workers *workers[int] }

func (*reportsTwice) Group(*int) Group { return 0 }

func (m *reportsTwice) Resume(s *Slice[int]) fiber.Outcome {
	if *s.Data++; *s.Data == 50 {
		return s.Return(*s.Data, nil)
	}
	s.out = fiber.Outcome{Kind: fiber.TimesliceExpired}
	m.workers.post(result[int]{s, s.handOut}) // the worker posts it again when Resume returns
	return s.out
}

func TestADuplicateResultIsIgnored(t *testing.T) {
	m := new(reportsTwice)
	r, err := New[int](Config{}, m)
	require.NoError(t, err)
	m.workers = r.workers
	got, err := r.Run(context.Background(), 0)
	require.NoError(t, err)
	assert.Equal(t, 50, got)
	assert.Empty(t, r.inFlight)
	assert.Positive(t, r.unexpected)
}

func TestNoSliceStaysInFlightAfterTheRun(t *testing.T) {
	r, err := New[int](Config{Workers: 3}, new(countsToTwenty))
	require.NoError(t, err)
	for range 200 {
		_, err := r.sched.Spawn(0)
		require.NoError(t, err)
	}
	_, err = r.Run(context.Background(), 0)
	require.NoError(t, err)
	assert.Empty(t, r.inFlight)
	assert.Empty(t, r.groups)
	assert.LessOrEqual(t, len(r.free), 200+r.cfg.InFlight)
}

type countsToTwenty struct{}

func (*countsToTwenty) Group(n *int) Group { return Group(*n % 3) }

func (*countsToTwenty) Resume(s *Slice[int]) fiber.Outcome {
	if *s.Data++; *s.Data == 20 {
		return s.Return(nil, nil)
	}
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

func TestARecycledSliceIsCleared(t *testing.T) {
	r, err := New[int](Config{}, new(countsToTwenty))
	require.NoError(t, err)
	s := r.newSlice()
	s.requests = 3
	s.preempt.Store(true)
	s.began.Store(1)
	r.recycle(s)
	again := r.newSlice()
	assert.Same(t, s, again)
	_, began := r.workers.running(again)
	assert.False(t, again.Preempted() || began || again.requests > 0)
}
