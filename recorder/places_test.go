package recorder_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/scheduler"
)

// asking is a scheduler whose places and functions are asked for at a cost, on a clock that tells it.
type asking struct {
	*scheduler.Scheduler[int]
	r                 *recorder.Recorder
	now               int64
	places, functions int
}

func newAsking(t *testing.T, cfg recorder.Config, cost int64) *asking {
	a := &asking{}
	cfg.Exact, cfg.Clock = true, func() int64 { return a.now }
	cfg.Function = func(fiber.RegularID) string { a.functions++; a.now += cost; return "f" }
	a.r = recorder.New(cfg)
	of := scheduler.Config{Site: func(fiber.RegularID) string { a.places++; a.now += cost; return "a.x:1" }}
	a.r.Configure(&of)
	a.Scheduler = scheduler.New[int](of)
	a.r.Attach(&a.Core)
	_, err := a.Spawn(0)
	require.NoError(t, err)
	return a
}

// yield runs slices of a microsecond.
func (a *asking) yield(slices int) {
	for range slices {
		a.Poll()
		a.ScheduleNext()
		a.now += 1_000
		a.YieldCurrent()
	}
	a.r.Flush()
}

func TestAnEventHasTheFunctionWithThePlaceAndTheOneThatAFiberBeginsWith(t *testing.T) {
	a := newAsking(t, recorder.Config{}, 0)
	a.yield(3)
	var seen []string
	for e := range a.r.Events() {
		seen = append(seen, e.Function+" "+e.Place)
	}
	require.Equal(t, []string{"f ", "f a.x:1", "f a.x:1", "f a.x:1"}, seen)
}

// Both have one measured cost and one limit: 2 % of the time, or none with Each.
func TestFunctionsAndPlacesAreLeftOutTogetherWhileTheyCostTooMuch(t *testing.T) {
	const slices, cost = 200_000, 500
	a := newAsking(t, recorder.Config{}, cost)
	a.yield(slices)
	require.Equal(t, a.places+1, a.functions, "the beginning has a function only")
	require.Greater(t, a.places, 1_000)
	require.Less(t, int64(a.places)*2*cost, a.now/45, "about 2 %")

	a = newAsking(t, recorder.Config{Each: func(*recorder.Event) {}}, cost)
	a.yield(slices)
	require.Equal(t, []int{slices, slices + 1}, []int{a.places, a.functions})
}
