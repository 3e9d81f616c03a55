package recorder_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/recorder"
)

// After turns that take no time the clock is read seldom. A hundred long ones later, each has its own instants again.
func TestALongTurnIsNoticedSoonAfterManyShortOnes(t *testing.T) {
	for _, fibers := range []int{1, 40} {
		now := int64(0)
		r, s := recording(t, recorder.Config{Clock: func() int64 { return now }}, fibers)
		yieldFor(s, 20_000)
		for range 200 {
			s.Poll()
			require.NotNil(t, s.ScheduleNext())
			now += int64(10 * time.Millisecond)
			s.YieldCurrent()
		}
		var took []time.Duration
		for e := range r.Events() {
			took = append(took, e.At-e.Began)
		}
		for _, d := range took[len(took)-100:] {
			require.Equal(t, 10*time.Millisecond, d)
		}
	}
}
