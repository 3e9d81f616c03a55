package island_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/explore"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/stackful"
)

// sends are two senders and the receiver of a port, all on one island, so that one scheduler makes every
// decision.
func sends(t *testing.T, capacity int) func(rt *stackful.Runtime) {
	return func(rt *stackful.Runtime) {
		i, err := new(island.Registry).Join(&rt.Scheduler().Core, island.Config{Name: "home", ProbeAfter: -1})
		require.NoError(t, err)
		port, err := island.Open[int](i, "work", capacity)
		require.NoError(t, err)
		for n := range 2 {
			s, err := island.Dial[int](i, "work")
			require.NoError(t, err)
			rt.Go("sender", func(f *stackful.Fiber) (any, error) {
				return nil, errors.Join(islandtest.Send(f, s, 10*n), islandtest.Send(f, s, 10*n+1), s.Close())
			})
		}
		port.Seal()
		rt.Go("receiver", func(f *stackful.Fiber) (any, error) {
			next := [2]int{}
			for {
				v, ok, err := islandtest.Receive(f, port)
				switch {
				case err != nil:
					return nil, err
				case !ok && next != [2]int{2, 2}:
					return nil, errors.New("values are lost")
				case !ok:
					return nil, nil
				case v%10 != next[v/10]:
					return nil, errors.New("values are out of order")
				}
				next[v/10]++
			}
		})
	}
}

func TestPortsKeepTheirPromisesUnderEverySchedule(t *testing.T) {
	for _, capacity := range []int{1, 2} {
		r := explore.TestWith(t, explore.Options{Strategy: explore.Depth(2), Runs: 100_000}, sends(t, capacity))
		require.NotEmpty(t, r.Complete)
		t.Log(r.Runs, "schedules")
	}
}
