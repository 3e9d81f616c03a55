package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
)

// The estimate grows with each run of a depth-first search, and a complete search ends at 1.
func TestTheCoveredPartGrowsTo1(t *testing.T) {
	for name, s := range map[string]explore.Strategy{"all": explore.Depth(explore.Unbounded), "bounded": explore.Depth(1)} {
		t.Run(name, func(t *testing.T) {
			before := explore.Progress{}
			r := find(t, independent(3, 2), explore.Options{Strategy: s, Progress: func(p explore.Progress) {
				require.Equal(t, before.Runs+1, p.Runs)
				require.Greater(t, p.Covered, before.Covered)
				require.Equal(t, 1, p.Endings)
				before = p
			}})
			require.NotEmpty(t, r.Complete)
			require.Equal(t, r.Runs, before.Runs)
			require.InDelta(t, 1, before.Covered, 1e-9)
		})
	}
}

func TestTheCoveredPartOfDPOREndsAt1(t *testing.T) {
	last := 0.0
	r := find(t, philosophers(3, true), explore.Options{Strategy: explore.DPOR(), Progress: func(p explore.Progress) {
		last = p.Covered
		require.True(t, last > 0 && last <= 1.000001, "%v", last)
	}})
	require.NotEmpty(t, r.Complete)
	require.Greater(t, r.Runs, 1)
}

// A random search cannot tell which part it has covered, but which endings it has seen.
func TestTheEndingsOfARandomSearchAreCounted(t *testing.T) {
	var last explore.Progress
	r := find(t, counter(3), explore.Options{Strategy: explore.Random(1), Ignore: []explore.Kind{explore.Failure}, Runs: 200, Progress: func(p explore.Progress) {
		require.Negative(t, p.Covered)
		last = p
	}})
	require.Nil(t, r.Finding)
	require.Equal(t, 200, last.Runs)
	require.Greater(t, last.Endings, 1)
}
