package channel

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/spec/graph"
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
			g, err := graph.Explore(b.Config, 1_000_000, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(g.States) != b.states || g.Edges != b.edges {
				t.Errorf("%d states and %d edges, want %d and %d", len(g.States), g.Edges, b.states, b.edges)
			}
		})
	}
}

func TestTheSmallGraphHasEveryKindAndAnswerAndEqualKeysOnlyForEqualStates(t *testing.T) {
	var kindSeen [kinds]bool
	answerSeen := [answers]bool{AnswerRefused: true}
	keys := map[string]bool{}
	c := bounds[1].Config
	g, err := graph.Explore(c, 1_000_000, func(_ *graph.Graph[Config, State, Action, Answer], e graph.Edge[Action, Answer]) {
		kindSeen[e.Action.Kind], answerSeen[e.Answer] = true, true
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range g.States {
		keys[c.Key(&g.States[i])] = true
	}
	if len(keys) != len(g.States) {
		t.Errorf("%d states have %d keys", len(g.States), len(keys))
	}
	for k, seen := range kindSeen {
		if !seen {
			t.Errorf("%v never occurs", Kind(k))
		}
	}
	for a, seen := range answerSeen {
		if !seen {
			t.Errorf("nobody is answered %v", Answer(a))
		}
	}
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	for _, c := range []Config{
		{}, {Fibers: MaxFibers + 1, Channels: 1}, {Fibers: 1, Channels: MaxChannels + 1}, {Fibers: 1},
		{Fibers: 1, Channels: 1, Capacity: [2]int{MaxCapacity + 1}}, {Fibers: 1, Channels: 1, Capacity: [2]int{0, -1}},
		{Fibers: 1, Channels: 1, Bug: 99},
	} {
		if _, err := graph.Explore(c, 10, nil); !errors.Is(err, ErrBounds) {
			t.Errorf("%+v: error %v, want ErrBounds", c, err)
		}
	}
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
	for _, bug := range Bugs() {
		c.Bug = bug
		_, err := graph.Explore(c, 100_000, nil)
		rule, v := uint8(0), (*graph.Violation[State, Action])(nil)
		if errors.As(err, &v) {
			rule = v.Breach.Rule
		}
		if rule != breaks[bug] {
			t.Errorf("%v (%d): %v, want I%d", bug, bug, err, breaks[bug])
		}
		t.Logf("%-22v %v", bug, err)
	}
}
