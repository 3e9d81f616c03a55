package explore_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

func find(t *testing.T, p explore.Program, o explore.Options) explore.Result {
	t.Helper()
	r, err := explore.Search(context.Background(), p, o)
	require.NoError(t, err)
	return r
}

// independent is n fibers of k time slices each, which share nothing.
func independent(n, k int) explore.Program {
	return explore.Runtime(explore.Bounds{}, func(rt *stackful.Runtime) {
		for range n {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				for range k - 1 {
					if err := f.Yield(); err != nil {
						return nil, err
					}
				}
				return nil, nil
			})
		}
	})
}

// The interleavings of n sequences of k slices are (nk)!/(k!)^n.
func TestADepthFirstSearchRunsEachScheduleOnce(t *testing.T) {
	for _, c := range []struct{ n, k, want int }{{1, 5, 1}, {2, 1, 2}, {2, 2, 6}, {2, 3, 20}, {3, 2, 90}, {3, 3, 1680}, {4, 2, 2520}} {
		r := find(t, independent(c.n, c.k), explore.Options{Strategy: explore.Depth(explore.Unbounded), Runs: 10_000})
		require.Nil(t, r.Finding)
		require.Equal(t, c.want, r.Runs, "%d fibers of %d slices", c.n, c.k)
		require.Equal(t, "all schedules", r.Complete)
	}
}

var errLost = errors.New("an update was lost")

// counter has fibers that read a number, give up the processor, and write it.
func counter(fibers int) explore.Program {
	return explore.Runtime(explore.Bounds{}, func(rt *stackful.Runtime) {
		n, done := 0, 0
		for range fibers {
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				old := n
				if err := f.Yield(); err != nil {
					return nil, err
				}
				n = old + 1
				if done++; done == fibers && n != fibers {
					return nil, errLost
				}
				return nil, nil
			})
		}
	})
}

func TestAFindingIsMinimizedAndCanBeRepeated(t *testing.T) {
	for name, s := range map[string]explore.Strategy{"random": explore.Random(1), "pct": explore.PCT(1, 2), "depth": explore.Depth(2)} {
		t.Run(name, func(t *testing.T) {
			r := find(t, counter(3), explore.Options{Strategy: s})
			require.NotNil(t, r.Finding)
			require.Equal(t, explore.Failure, r.Finding.Kind)
			require.LessOrEqual(t, r.Finding.Schedule.Switches(), 1)
			schedule, err := explore.ParseSchedule(r.Finding.Schedule.String())
			require.NoError(t, err)
			require.Equal(t, r.Finding.Schedule, schedule)
			for range 100 {
				again, err := explore.Run(t.Context(), counter(3), schedule)
				require.NoError(t, err)
				require.Equal(t, r.Finding.Ending, again)
			}
		})
	}
}

// philosophers take two forks each; the last one takes them in the other order if it is repaired.
func philosophers(n int, repaired bool) explore.Program {
	return explore.Runtime(explore.Bounds{}, func(rt *stackful.Runtime) {
		forks := make([]*wait.Mutex, n)
		for i := range forks {
			forks[i] = wait.NewMutex(wait.HandOver)
		}
		for i := range n {
			first, second := forks[i], forks[(i+1)%n]
			if repaired && i == n-1 {
				first, second = second, first
			}
			rt.Go("", func(f *stackful.Fiber) (any, error) {
				for _, fork := range []*wait.Mutex{first, second} {
					if err := f.Lock(fork); err != nil {
						return nil, err
					}
				}
				return nil, errors.Join(f.Unlock(second), f.Unlock(first))
			})
		}
	})
}

func TestPhilosophersDeadlockAndTheRepairedOnesDoNot(t *testing.T) {
	r := find(t, philosophers(3, false), explore.Options{Strategy: explore.Depth(explore.Unbounded), Runs: 100_000})
	require.NotNil(t, r.Finding)
	require.Equal(t, explore.Deadlock, r.Finding.Kind)
	require.LessOrEqual(t, r.Finding.Schedule.Switches(), 3)
	t.Log(r.Finding.Text)
	r = find(t, philosophers(3, true), explore.Options{Strategy: explore.Depth(explore.Unbounded), Runs: 100_000})
	require.Nil(t, r.Finding)
	require.Equal(t, "all schedules", r.Complete)
	t.Log(r.Runs, "schedules")
}

func TestAProgramThatReadsSomethingElseIsRefused(t *testing.T) {
	runs := 0
	p := func(d *explore.Decisions) (explore.Ending, error) {
		runs++
		return counterOf(runs)(d)
	}
	_, err := explore.Search(context.Background(), p, explore.Options{Runs: 10})
	var differs *explore.NondeterministicError
	require.ErrorAs(t, err, &differs)
	require.Contains(t, err.Error(), "does not control")
}

func counterOf(run int) explore.Program {
	if run%2 == 1 {
		return philosophers(3, false)
	}
	return independent(2, 2)
}

// A run that is interrupted says nothing about the program; what was found before is kept.
func TestASearchEndsWithItsContextAlsoWithinARun(t *testing.T) {
	for _, of := range []int{1, 3} { // which run is interrupted: the third one is of the minimization
		ctx, cancel := context.WithCancel(t.Context())
		runs := 0
		program := explore.Guest(explore.Bounds{}, func(inner context.Context, _ scheduler.Config, _ io.Writer) error {
			if runs++; runs == of {
				cancel()
				<-inner.Done()
				return inner.Err()
			}
			return errLost
		})
		r, err := explore.Search(ctx, program, explore.Options{})
		require.NoError(t, err)
		require.Equal(t, of > 1, r.Finding != nil)
		cancel()
	}
}
