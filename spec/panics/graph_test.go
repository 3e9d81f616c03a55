package panics

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
	{Config{Machines: 1, Frames: 2, Calls: 2, Panics: 2}, 706, 4269},
	{Config{Machines: 1, Frames: 2, Calls: 3, Panics: 3}, 11_744, 71_580},
	{Config{Machines: 1, Frames: 3, Calls: 3, Panics: 3}, 41_273, 296_684},
	{Config{Machines: 2, Frames: 2, Calls: 2, Panics: 2}, 69_424, 420_832},
}

func TestEveryReachableStateKeepsTheInvariants(t *testing.T) {
	for _, b := range bounds {
		t.Run(fmt.Sprintf("M%d F%d C%d P%d", b.Machines, b.Frames, b.Calls, b.Panics), func(t *testing.T) {
			twintest.Explore(t, b.Config, b.states, b.edges)
		})
	}
}

func TestASmallGraphHasEveryKindAndWordAndEqualKeysOnlyForEqualStates(t *testing.T) {
	var kindSeen [kinds]bool
	wordSeen := [words]bool{Refused: true}
	twintest.Keys(t, Config{Machines: 2, Frames: 1, Calls: 2, Panics: 2}, func(a Action, r Answer) { kindSeen[a.Kind], wordSeen[r.Word] = true, true })
	twintest.Occur(t, kindSeen[:], func(i int) string { return kindNames[i] })
	twintest.Occur(t, wordSeen[:], func(i int) string { return "the answer " + wordNames[i] })
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	twintest.Fit(t, ErrBounds, []Config{
		{}, {MaxMachines + 1, 1, 1, 1, 0}, {1, MaxFrames + 1, 1, 1, 0}, {1, 1, MaxCalls + 1, 1, 0},
		{1, 1, 1, MaxPanics + 1, 0}, {1, 1, 1, 1, 99}, {1, 1, -1, 1, 0},
	})
}

// breaks is the invariant that each bug must be seen to break first; 0 is none: one shows
// only beside the other twin, one because an unwind never ends.
var breaks = map[Bug]uint8{
	RecoversInHelper: 6, RecoversLate: 6, RecoversExit: 6, WeakerReplaces: 6, EndsOuterToo: 6, SkipsDefers: 6,
	LosesGeneration: 7, SwallowsPanic: 7, KeepsUnwind: 7, FatalUnwinds: 6, RunsAgain: 0, ForgetsParent: 0,
	ReplacesHanded: 6,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	twintest.Break(t, breaks, Bugs(), func(b Bug) Config { return Config{Machines: 2, Frames: 2, Calls: 2, Panics: 2, Bug: b} })
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
