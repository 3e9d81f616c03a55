package explore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
)

// The workers of a random search make the runs of one: they find the same, whichever is faster.
func TestAnyNumberOfJobsHasTheFindingOfOneRandomSearch(t *testing.T) {
	for seed := range uint64(20) {
		one := find(t, alternating(3, 4), explore.Options{Strategy: explore.Random(seed), MinimizeRuns: -1})
		for _, jobs := range []int{2, 3, 8} {
			many := find(t, alternating(3, 4), explore.Options{Strategy: explore.Random(seed), MinimizeRuns: -1, Jobs: jobs})
			require.Equal(t, one.Finding, many.Finding)
		}
	}
}

func TestASearchWithJobsIsTheSameEachTime(t *testing.T) {
	for name, s := range map[string]func() explore.Strategy{
		"pct":   func() explore.Strategy { return explore.PCT(1, 3) },
		"mixed": func() explore.Strategy { return explore.Mixed(1) },
		"dfs":   func() explore.Strategy { return explore.Depth(2) },
		"dpor":  func() explore.Strategy { return explore.DPOR() },
	} {
		t.Run(name, func(t *testing.T) {
			search := func() explore.Result {
				return find(t, philosophers(3, false), explore.Options{Strategy: s(), Jobs: 3})
			}
			first := search()
			require.NotNil(t, first.Finding)
			for range 5 {
				require.Equal(t, first.Finding, search().Finding)
			}
			again, err := explore.Run(t.Context(), philosophers(3, false), first.Finding.Schedule)
			require.NoError(t, err)
			require.Equal(t, first.Finding.Ending, again)
		})
	}
}

// All runs are made, and counted once; a strategy that cannot be divided is complete as with one job.
func TestJobsMakeAllRuns(t *testing.T) {
	for _, jobs := range []int{1, 2, 3, 7} {
		for _, s := range []explore.Strategy{explore.Random(1), explore.PCT(1, 2), explore.Mixed(1)} {
			last := 0
			r := find(t, independent(2, 2), explore.Options{Strategy: s, Runs: 100, Jobs: jobs, Progress: func(p explore.Progress) {
				require.Equal(t, last+1, p.Runs)
				last = p.Runs
			}})
			require.Equal(t, 100, r.Runs)
			require.Equal(t, 100, last)
			require.Empty(t, r.Complete)
		}
		r := find(t, independent(2, 2), explore.Options{Strategy: explore.Depth(explore.Unbounded), Jobs: jobs})
		require.Equal(t, 6, r.Runs)
		require.Equal(t, "all schedules", r.Complete)
	}
}

func TestAnInterruptedSearchWithJobsEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := explore.Search(ctx, independent(2, 2), explore.Options{Runs: 1 << 30, Jobs: 3, Progress: func(p explore.Progress) {
		if p.Runs == 50 {
			stop()
		}
	}})
	require.NoError(t, err)
	require.Nil(t, r.Finding)
	require.GreaterOrEqual(t, r.Runs, 50)
}

func TestAnErrorOfTheProgramEndsAllJobs(t *testing.T) {
	broken := errors.New("cannot be run")
	_, err := explore.Search(t.Context(), func(*explore.Decisions) (explore.Ending, error) { return explore.Ending{}, broken }, explore.Options{Jobs: 3})
	require.ErrorIs(t, err, broken)
}

// A program may end the test that searches it, as require does: it then runs on the goroutine of the test.
func TestOneJobRunsOnTheGoroutineOfTheCaller(t *testing.T) {
	defer func() { require.Equal(t, "mine", recover()) }()
	_, _ = explore.Search(t.Context(), func(*explore.Decisions) (explore.Ending, error) { panic("mine") }, explore.Options{})
}
