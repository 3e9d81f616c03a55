package explore_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// endings runs all schedules of a strategy, up to a number, and returns how the runs ended: their kinds
// and what each fiber had seen.
func endings(t require.TestingT, s explore.Strategy, p program, runs int) (ends map[string]int, r explore.Result) {
	ends = map[string]int{}
	var w *world
	inner := explore.Runtime(explore.Bounds{}, func(rt *stackful.Runtime) { w = p.on(rt) })
	all := func(d *explore.Decisions) (explore.Ending, error) {
		ending, err := inner(d)
		ends[fmt.Sprint(ending.Kind, w.logs)]++
		return explore.Ending{Kind: explore.Passed}, err
	}
	r, err := explore.Search(context.Background(), all, explore.Options{Strategy: s, Runs: runs})
	require.NoError(t, err)
	return ends, r
}

// DPOR leaves out nothing: it finds each ending that is found by all schedules.
func TestDPORFindsTheEndingsOfAllSchedules(t *testing.T) {
	all, compared, dfs, dpor := 0, 0, 0, 0
	for part := range 6 { // of 100 programs
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				all++
				p := programs().Draw(t, "program")
				want, every := endings(t, explore.Depth(explore.Unbounded), p, 1000)
				if every.Complete == "" {
					return
				}
				got, some := endings(t, explore.DPOR(), p, every.Runs+1)
				require.NotEmpty(t, some.Complete, "%v: more than %d schedules", p, every.Runs)
				require.LessOrEqual(t, some.Runs, every.Runs)
				require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)), "%v", p)
				compared, dfs, dpor = compared+1, dfs+every.Runs, dpor+some.Runs
			})
		})
	}
	t.Logf("%d programs, %d schedules, %d of them were enough", compared, dfs, dpor)
	require.GreaterOrEqual(t, compared, all/2)
	require.Less(t, dpor, dfs/10)
}

func TestDPORRunsOneScheduleOfIndependentFibers(t *testing.T) {
	for _, c := range []struct{ n, k int }{{1, 5}, {2, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 2}, {6, 6}} {
		r := find(t, independent(c.n, c.k), explore.Options{Strategy: explore.DPOR()})
		require.Nil(t, r.Finding)
		require.Equal(t, 1, r.Runs, "%d fibers of %d slices", c.n, c.k)
	}
}

func TestDPOROfPhilosophers(t *testing.T) {
	for n := 2; n <= 4; n++ {
		r := find(t, philosophers(n, false), explore.Options{Strategy: explore.DPOR(), Runs: 100_000})
		require.NotNil(t, r.Finding)
		require.Equal(t, explore.Deadlock, r.Finding.Kind)
		r = find(t, philosophers(n, true), explore.Options{Strategy: explore.DPOR(), Runs: 100_000})
		require.Nil(t, r.Finding)
		require.NotEmpty(t, r.Complete)
		t.Log(n, "philosophers:", r.Runs, "schedules")
	}
}

// declared are two fibers that read a variable, yield and write it, and declare its use so.
func declared(touch func(c scheduler.Choices, n *int)) explore.Program {
	return explore.Runtime(explore.Bounds{}, func(rt *stackful.Runtime) {
		n, ended := 0, 0
		use := func() {
			touch(rt.Scheduler().Choices(), &n)
		}
		for range 2 {
			_, err := rt.Go("", func(f *stackful.Fiber) (any, error) {
				use()
				old := n
				if err := f.Yield(); err != nil {
					return nil, err
				}
				use()
				n = old + 1
				if ended++; ended == 2 && n != 2 {
					return nil, errLost
				}
				return nil, nil
			})
			if err != nil {
				panic(err)
			}
		}
	})
}

func TestDPORReordersTheUsesOfAVariableThatIsDeclared(t *testing.T) {
	uses := func(c scheduler.Choices, n *int) { c.Touch(n) }
	all := find(t, passed(declared(uses)), explore.Options{Strategy: explore.Depth(explore.Unbounded)})
	some := find(t, passed(declared(uses)), explore.Options{Strategy: explore.DPOR()})
	require.Equal(t, all.Runs, some.Runs)
	r := find(t, declared(uses), explore.Options{Strategy: explore.DPOR()})
	require.NotNil(t, r.Finding)
	require.Contains(t, r.Finding.Text, errLost.Error())
	for _, nothing := range []func(scheduler.Choices, *int){
		func(scheduler.Choices, *int) {},
		func(c scheduler.Choices, n *int) { c.Touch(scheduler.Read{Object: n}) },
		func(c scheduler.Choices, _ *int) {
			made := new(int)
			c.Touch(scheduler.Created{Object: made})
			c.Touch(made)
		},
	} {
		require.Equal(t, 1, find(t, passed(declared(nothing)), explore.Options{Strategy: explore.DPOR()}).Runs)
	}
}
