package proptest

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec/channel"
	"github.com/selvage-dev/selvage/spec/graph"
)

type channelTour = tour[channel.Config, channel.State, channel.Action, channel.Answer]

type channelGraph = graph.Graph[channel.Config, channel.State, channel.Action, channel.Answer]

func exploreChannels(t *testing.T, c channel.Config) *channelGraph {
	t.Helper()
	g, err := graph.Explore(c, everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// newChannelTour is a tour with guides that begin with the step: where there are two ways
// to do something, those who begin with 0 and with 1 take different ones.
func newChannelTour(g *channelGraph, c channel.Config, step int) *channelTour {
	return &channelTour{graph: g, model: c, fresh: func() guide[channel.State, channel.Action, channel.Answer] {
		guide := newChannelGuide(c)
		guide.step = step
		return guide
	}}
}

func TestChannelsAndSelectsFollowEveryEdgeOfTheModelAndRefuseEverythingElse(t *testing.T) {
	for _, c := range []channel.Config{
		{Fibers: 2, Channels: 1, Selects: true},
		{Fibers: 2, Channels: 1, Capacity: [2]int{1}, Selects: true},
		{Fibers: 2, Channels: 1, Capacity: [2]int{2}, Selects: true},
		{Fibers: 3, Channels: 1},
		{Fibers: 3, Channels: 1, Capacity: [2]int{1}},
		{Fibers: 2, Channels: 2, Selects: true},
		{Fibers: 2, Channels: 2, Capacity: [2]int{1}, Selects: true},
	} {
		g := exploreChannels(t, c)
		if len(g.States) >= 6000 && !long.Deep() {
			continue
		}
		for step := range 2 {
			if step > 0 && !long.On(t) {
				break
			}
			t.Run(fmt.Sprintf("%d: %+v", step, c), func(t *testing.T) {
				t.Parallel()
				walk := newChannelTour(g, c, step)
				walk.stride = strideOf(t, 4)
				if err := walk.everywhere(); err != nil {
					t.Fatal(err)
				}
				t.Logf("%d states, %d edges, %d refusals, %d real steps", len(g.States), walk.edges, walk.refusals, walk.steps)
			})
		}
	}
}

// To a broken model the right channels are the broken ones.
func TestEveryBrokenModelOfChannelsIsFound(t *testing.T) {
	c := channel.Config{Fibers: 3, Channels: 1, Capacity: [2]int{1}, Selects: true}
	g := exploreChannels(t, c)
	for _, bug := range channel.Bugs() {
		t.Run(bug.String(), func(t *testing.T) {
			t.Parallel()
			walk := newChannelTour(g, c, 0)
			walk.model.Bug = bug
			foundOn(t, walk.everywhere())
		})
	}
}

// A host that forgets a wake that an object decided.
func TestAWakeThatIsNotDeliveredIsFound(t *testing.T) {
	c := channel.Config{Fibers: 2, Channels: 1}
	walk := newChannelTour(exploreChannels(t, c), c, 0)
	walk.fresh = func() guide[channel.State, channel.Action, channel.Answer] {
		g := newChannelGuide(walk.model)
		g.apply = func(...fiber.Wakeup) error { return nil }
		return g
	}
	foundOn(t, walk.everywhere())
}
