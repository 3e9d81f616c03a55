package panics

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
	{Config{Machines: 1, Frames: 2, Calls: 2, Panics: 2}, 706, 4269},
	{Config{Machines: 1, Frames: 2, Calls: 3, Panics: 3}, 11_744, 71_580},
	{Config{Machines: 1, Frames: 3, Calls: 3, Panics: 3}, 41_273, 296_684},
	{Config{Machines: 2, Frames: 2, Calls: 2, Panics: 2}, 69_109, 418_604},
}

func TestEveryReachableStateKeepsTheInvariants(t *testing.T) {
	for _, b := range bounds {
		t.Run(fmt.Sprintf("M%d F%d C%d P%d", b.Machines, b.Frames, b.Calls, b.Panics), func(t *testing.T) {
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

func TestASmallGraphHasEveryKindAndWordAndEqualKeysOnlyForEqualStates(t *testing.T) {
	var kindSeen [kinds]bool
	wordSeen := [words]bool{Refused: true}
	keys := map[string]bool{}
	c := Config{Machines: 2, Frames: 1, Calls: 2, Panics: 2}
	g, err := graph.Explore(c, 1_000_000, func(_ *graph.Graph[Config, State, Action, Answer], e graph.Edge[Action, Answer]) {
		kindSeen[e.Action.Kind], wordSeen[e.Answer.Word] = true, true
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
	for w, seen := range wordSeen {
		if !seen {
			t.Errorf("nobody is answered %v", wordNames[w])
		}
	}
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	for _, c := range []Config{
		{}, {MaxMachines + 1, 1, 1, 1, 0}, {1, MaxFrames + 1, 1, 1, 0}, {1, 1, MaxCalls + 1, 1, 0},
		{1, 1, 1, MaxPanics + 1, 0}, {1, 1, 1, 1, 99}, {1, 1, -1, 1, 0},
	} {
		if _, err := graph.Explore(c, 10, nil); !errors.Is(err, ErrBounds) {
			t.Errorf("%+v: error %v, want ErrBounds", c, err)
		}
	}
}

// breaks is the invariant that each bug must be seen to break first; 0 is none: one shows
// only beside the other twin, one because an unwind never ends.
var breaks = map[Bug]uint8{
	RecoversInHelper: 6, RecoversLate: 6, RecoversExit: 6, WeakerReplaces: 6, EndsOuterToo: 6, SkipsDefers: 6,
	LosesGeneration: 7, SwallowsPanic: 7, KeepsUnwind: 7, FatalUnwinds: 6, RunsAgain: 0, ForgetsParent: 0,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	for _, bug := range Bugs() {
		_, err := graph.Explore(Config{Machines: 2, Frames: 2, Calls: 2, Panics: 2, Bug: bug}, 100_000, nil)
		rule, v := uint8(0), (*graph.Violation[State, Action])(nil)
		if errors.As(err, &v) {
			rule = v.Breach.Rule
		} else if err != nil {
			t.Errorf("%v (%d): %v", bug, bug, err)
		}
		if rule != breaks[bug] {
			t.Errorf("%v (%d): %v, want I%d", bug, bug, err, breaks[bug])
		}
		t.Logf("%-22v %v", bug, err)
	}
}

// A state that no machine reaches is seen, or the silence of the explorations means nothing.
func TestTheChecksAreAwake(t *testing.T) {
	c := bounds[0].Config
	for name, corrupt := range map[string]func(m *Machine){
		"over for no reason":       func(m *Machine) { m.Over = true },
		"a call of the future":     func(m *Machine) { m.running[0], m.runs = Call{Unwound: true}, 1 },
		"a panic of no generation": func(m *Machine) { m.panics[0], m.has = Panic{Kind: 1, Generation: 9}, 1 },
		"a Fatal one goes on":      func(m *Machine) { m.panics[0], m.has = Panic{Kind: 3}, 1 },
	} {
		s := c.Init()
		corrupt(&s.Machines[0])
		if c.Check(&s).OK() {
			t.Errorf("%s is not seen", name)
		}
	}
}
