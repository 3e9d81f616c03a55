package island_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/island/internal/islandtest"
	"github.com/selvage-dev/selvage/stackful"
)

func TestTheEndsOfAPortTellWhoWaitsAndHowManyValuesAreOnTheWay(t *testing.T) {
	r := new(island.Registry)
	home, away := islandtest.Start(t, r, "home", island.Config{}), islandtest.Start(t, r, "away", island.Config{})
	islandtest.Open[int](home, "full", 3)
	s := islandtest.Dial[int](away, "full")
	empty := islandtest.Open[int](home, "empty", 1)
	away.Go("sender", func(f *stackful.Fiber) error {
		for v := range 5 {
			if err := islandtest.Send(f, s, v); err != nil {
				return err
			}
		}
		return nil
	})
	home.Go("receiver", func(f *stackful.Fiber) error { _, _, err := islandtest.Receive(f, empty); return err })
	waits := func(of *islandtest.Running, at int) (ends []island.EndState) {
		for len(ends) == 0 || ends[at].Waiting == 0 {
			of.Own(func() { ends = of.Ends() })
		}
		return ends
	}
	require.Equal(t, []island.EndState{{Port: "full", To: home.Island, Capacity: 4, Waiting: 1}}, waits(away, 0))
	require.Equal(t, []island.EndState{
		{Port: "full", Capacity: 4, Senders: []island.LinkState{{From: away.Island, Values: 4}}},
		{Port: "empty", Capacity: 1, Waiting: 1, Senders: []island.LinkState{}},
	}, waits(home, 1))
	home.Stop(nil)
	require.Empty(t, home.Ends())
}
