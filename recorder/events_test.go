package recorder_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/recorder"
	"github.com/selvage-dev/selvage/recorder/internal/programs"
	"github.com/selvage-dev/selvage/scheduler"
)

func run(t *testing.T, seed uint64, cfg scheduler.Config, attach func(*scheduler.Core)) {
	t.Helper()
	require.NoError(t, programs.Run(seed, cfg, attach))
}

// truth is what an observer receives: every change of state, and the fiber that was current.
func truth(t *testing.T, seed uint64) (changes []string) {
	t.Helper()
	var core *scheduler.Core
	run(t, seed, scheduler.Config{Observer: func(x scheduler.Transition) {
		by := core.Current()
		verb := ""
		switch x.Op.String() {
		case "Spawn":
			verb = "begins"
		case "Wake", "Deliver", "expire", "Cancel", "Kill", "Complete":
			if x.Answer == "woken" || x.Op.String() == "expire" {
				verb = "wakes"
			}
		case "Block", "YieldCurrent", "Exit":
			verb, by = "leaves", 0
		}
		if verb != "" {
			changes = append(changes, fmt.Sprint(x.ID, " ", verb, " ", by))
		}
	}}, func(c *scheduler.Core) { core = c })
	return changes
}

// recorded is the same of a recording.
func recorded(t *testing.T, seed uint64, clock func() int64) (changes []string) {
	t.Helper()
	r := recorder.New(recorder.Config{Clock: clock})
	cfg := scheduler.Config{}
	r.Configure(&cfg)
	run(t, seed, cfg, r.Attach)
	number := uint64(0)
	for e := range r.Events() {
		require.Equal(t, number, e.Number)
		number++
		verb := "wakes"
		switch {
		case e.From == fiber.Dead:
			verb = "begins"
		case e.EndsSlice():
			verb = "leaves"
		}
		changes = append(changes, fmt.Sprint(e.ID, " ", verb, " ", e.By))
	}
	return changes
}

// With turns that take no time the recorder does not look at each of them.
func TestARecordingHasEveryChangeOfStateInOrder(t *testing.T) {
	for seed := range uint64(200) {
		want := truth(t, seed)
		require.Equal(t, want, recorded(t, seed, func() int64 { return 0 }), "seed %d, short turns", seed)
		now := int64(0)
		long := func() int64 { now += 1_000_000; return now }
		require.Equal(t, want, recorded(t, seed, long), "seed %d, long turns", seed)
	}
}

// While turns take no time, the names of new fibers are not asked for: later those of the living are.
func TestALivingFiberHasItsNameHoweverShortTheTurnsAre(t *testing.T) {
	r, s := recording(t, recorder.Config{Clock: func() int64 { return 0 }}, 2)
	yieldFor(s, 1_000)
	late, err := s.SpawnWith(0, scheduler.Options{Name: "late"})
	require.NoError(t, err)
	yieldFor(s, 2_000)
	named := 0
	for e := range r.Events() {
		if e.ID == late.ID() {
			require.Equal(t, "late", e.Name)
			named++
		}
	}
	require.Positive(t, named)
}
