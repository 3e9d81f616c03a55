package reactor

import (
	"context"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counter is a machine of fibers that count their slices.
type counter struct{ twice *crew[int] }

func (*counter) Group(*int) Group { return 0 }

func (m *counter) Resume(s *Slice[int]) fiber.Outcome {
	if *s.Data++; *s.Data == 50 {
		return s.Return(*s.Data, nil)
	}
	s.out = fiber.Outcome{Kind: fiber.TimesliceExpired}
	m.twice.post(result[int]{s, s.flight}) // now, and again when it returns
	return s.out
}

// docs/design.md#defects: worker slot leaked.
func TestAResultThatComesTwiceCountsOnce(t *testing.T) {
	m := new(counter)
	r, err := New[int](Config{}, m)
	require.NoError(t, err)
	m.twice = r.crew
	got, err := r.Run(context.Background(), 0)
	require.NoError(t, err)
	assert.Equal(t, 50, got)
	assert.Empty(t, r.flights)
	assert.Positive(t, r.strays)
}

func TestEverySlicesRoomIsFreeAgainWhenItHasEnded(t *testing.T) {
	r, err := New[int](Config{Workers: 3}, new(uncounted))
	require.NoError(t, err)
	for range 200 {
		_, err := r.sched.Spawn(0)
		require.NoError(t, err)
	}
	_, err = r.Run(context.Background(), 0)
	require.NoError(t, err)
	assert.Empty(t, r.flights)
	assert.Empty(t, r.lines)
	assert.LessOrEqual(t, len(r.spare), 200+r.cfg.InFlight)
}

type uncounted struct{}

func (*uncounted) Group(n *int) Group { return Group(*n % 3) }

func (*uncounted) Resume(s *Slice[int]) fiber.Outcome {
	if *s.Data++; *s.Data == 20 {
		return s.Return(nil, nil)
	}
	return fiber.Outcome{Kind: fiber.TimesliceExpired}
}

func TestTheNextSliceHasItsOwnTime(t *testing.T) {
	r, err := New[int](Config{}, new(uncounted))
	require.NoError(t, err)
	s := r.newSlice()
	s.asked = 3
	s.preempt.Store(true)
	s.began.Store(1)
	r.recycle(s)
	again := r.newSlice()
	assert.Same(t, s, again)
	_, began := r.crew.running(again)
	assert.False(t, again.Preempted() || began || again.asked > 0)
}
