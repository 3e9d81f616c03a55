package channel

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/spec/internal/twintest"
)

// bounds are the machines that are searched through, with the size of their graphs.
// check.sh finds the same numbers with another tool and another text of the machine: a
// change of the machine changes them, and shows here.
var bounds = []struct {
	Config
	states, edges int
}{
	{Config{Fibers: 2, Channels: 1, Selects: true}, 686, 3319},
	{Config{Fibers: 2, Channels: 1, Capacity: [2]int{1}, Selects: true}, 1156, 5680},
	{Config{Fibers: 3, Channels: 1, Capacity: [2]int{2}}, 19_130, 131_665},
	{Config{Fibers: 2, Channels: 2, Selects: true}, 10_998, 59_310},
	{Config{Fibers: 2, Channels: 2, Capacity: [2]int{1}, Selects: true}, 29_092, 158_900},
	{Config{Fibers: 3, Channels: 1, Capacity: [2]int{1}, Selects: true}, 76_708, 554_752},
}

func name(c Config) string {
	return fmt.Sprintf("F%d C%d %v selects %v", c.Fibers, c.Channels, c.Capacity, c.Selects)
}

func TestEveryReachableStateKeepsTheInvariants(t *testing.T) {
	for _, b := range bounds {
		t.Run(name(b.Config), func(t *testing.T) {
			t.Parallel()
			twintest.Explore(t, b.Config, b.states, b.edges)
		})
	}
}

func TestTheSmallGraphHasEveryKindAndAnswerAndEqualKeysOnlyForEqualStates(t *testing.T) {
	var kindSeen [kinds]bool
	answerSeen := [answers]bool{AnswerRefused: true}
	twintest.Keys(t, bounds[1].Config, func(a Action, r Answer) { kindSeen[a.Kind], answerSeen[r] = true, true })
	twintest.Occur(t, kindSeen[:], func(i int) string { return Kind(i).String() })
	twintest.Occur(t, answerSeen[:], func(i int) string { return "the answer " + Answer(i).String() })
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	twintest.Fit(t, ErrBounds, []Config{
		{}, {Fibers: MaxFibers + 1, Channels: 1}, {Fibers: 1, Channels: MaxChannels + 1}, {Fibers: 1},
		{Fibers: 1, Channels: 1, Capacity: [2]int{MaxCapacity + 1}}, {Fibers: 1, Channels: 1, Capacity: [2]int{0, -1}},
		{Fibers: 1, Channels: 1, Bug: 99},
	})
}

// breaks is the invariant that each bug must be seen to break first; 0 is none: that
// mistake shows only beside the other twin.
var breaks = map[Bug]uint8{
	KeepsSiblings: 10, ServesNewestReceiver: 11, PassesReceivers: 9, PassesBuffer: 11, ForgetsLost: 11,
	CloseIsSuccess: 11, CloseUndoesSends: 11, CloseForgetsSenders: 9, KeepsQuitters: 10, WakesUnassigned: 11,
	Overfills: 11, DropsAccepted: 12, RegistersBackwards: 0, ServesNewestSender: 11, KeepsReceived: 12,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	c := Config{Fibers: 3, Channels: 1, Capacity: [2]int{1}, Selects: true}
	twintest.Break(t, breaks, Bugs(), func(b Bug) Config { c.Bug = b; return c })
}
