package explore_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// alternating has a bug of that depth: depth+1 events must happen in turns, in two fibers of so many slices
// each; a slice has one event at most.
func alternating(depth, slices int) explore.Program {
	return explore.Runtime(explore.Bounds{}, func(rt *stackful.Runtime) {
		events := 0
		for side := range 2 {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				for range slices {
					if events <= depth && events%2 == side {
						events++
					}
					if events > depth {
						return nil, errors.New("all have happened")
					}
					if err := f.Yield(); err != nil {
						return nil, err
					}
				}
				return nil, nil
			})
		}
	})
}

// The promise of PCT: a bug of depth d is found at a rate of at least 1/(n·k^(d-1)). The count of 10,000
// runs may be four standard deviations below what that rate gives.
func TestPCTFindsABugOfADepthAtThePromisedRate(t *testing.T) {
	const runs, slices = 10_000, 6
	for depth := 1; depth <= 4; depth++ {
		p, s := alternating(depth, slices), explore.PCT(7, depth)
		found, decisions := 0, 0
		for range runs {
			s.Begin()
			made := 0
			e, err := p(explore.NewDecisions(func(c scheduler.Choice) int { made++; return s.Choose(c) }))
			require.NoError(t, err)
			decisions = max(decisions, made)
			if e.Kind == explore.Failure {
				found++
			}
		}
		rate := 1 / (2 * math.Pow(float64(decisions), float64(depth-1)))
		atLeast := runs*rate - 4*math.Sqrt(runs*rate*(1-rate))
		t.Logf("depth %d: found %d times in %d runs of up to %d decisions, promised %.0f", depth, found, runs, decisions, runs*rate)
		require.Greater(t, float64(found), atLeast)
	}
}
