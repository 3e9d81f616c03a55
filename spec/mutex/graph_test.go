package mutex

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
	{Config{Fibers: 2}, 42, 174},
	{Config{Fibers: 3, HandOn: true}, 128, 792},
	{Config{Fibers: 4}, 1612, 13_192},
	{Config{Fibers: 4, HandOn: true}, 704, 5836},
	{Config{Fibers: 3, Cond: true}, 683, 5718},
	{Config{Fibers: 4, Cond: true}, 6655, 69_694},
	{Config{Fibers: 4, Cond: true, HandOn: true}, 4281, 45_090},
}

func TestEveryReachableStateKeepsTheInvariants(t *testing.T) {
	for _, b := range bounds {
		t.Run(fmt.Sprintf("F%d hand on %v cond %v", b.Fibers, b.HandOn, b.Cond), func(t *testing.T) {
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
	c := Config{Fibers: 3, Cond: true}
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
	for _, c := range []Config{{}, {Fibers: MaxFibers + 1}, {Fibers: -1}, {Fibers: 1, Bug: 99}} {
		if _, err := graph.Explore(c, 10, nil); !errors.Is(err, ErrBounds) {
			t.Errorf("%+v: error %v, want ErrBounds", c, err)
		}
	}
}

// breaks is the invariant that each bug must be seen to break first; 0 is none: that
// mistake shows only beside the other twin.
var breaks = map[Bug]uint8{
	WakesWithoutLock: 11, ServesNewest: 11, KeepsQuitters: 10, ForgetsOwner: 12, ForgetsHeir: 12,
	PoisonForgetsWaiters: 9, PoisonIsSuccess: 11, BargesIn: 11, WakesTwo: 11, HandsOnAnyway: 0, KeepsGrant: 11,
	WaitsForFree:         9,
	LosesSignalOfQuitter: 9, LosesSignalOfDead: 9, WakesPastOwner: 11, SignalsNewest: 11, SleepsWithLock: 11,
	BroadcastsToOne: 9, PoisonForgetsHall: 12, SignalledFirst: 11, PassesBroadcastOn: 0,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	for _, bug := range Bugs() {
		_, err := graph.Explore(Config{Fibers: 4, Cond: bug > WaitsForFree, Bug: bug}, 100_000, nil)
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
