package mutex

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
			twintest.Explore(t, b.Config, b.states, b.edges)
		})
	}
}

func TestTheSmallGraphHasEveryKindAndAnswerAndEqualKeysOnlyForEqualStates(t *testing.T) {
	var kindSeen [kinds]bool
	answerSeen := [answers]bool{AnswerRefused: true}
	twintest.Keys(t, Config{Fibers: 3, Cond: true}, func(a Action, r Answer) { kindSeen[a.Kind], answerSeen[r] = true, true })
	twintest.Occur(t, kindSeen[:], func(i int) string { return Kind(i).String() })
	twintest.Occur(t, answerSeen[:], func(i int) string { return "the answer " + Answer(i).String() })
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	twintest.Fit(t, ErrBounds, []Config{{}, {Fibers: MaxFibers + 1}, {Fibers: -1}, {Fibers: 1, Bug: 99}})
}

// breaks is the invariant that each bug must be seen to break first; 0 is none: that
// mistake shows only beside the other twin.
var breaks = map[Bug]uint8{
	WakesWithoutLock: 11, ServesNewest: 11, KeepsQuitters: 10, ForgetsOwner: 12, ForgetsHeir: 12,
	PoisonForgetsWaiters: 9, PoisonIsSuccess: 11, BargesIn: 11, WakesTwo: 11, HandsOnAnyway: 0, KeepsGrant: 11,
	WaitsForFree:         9,
	LosesSignalOfQuitter: 9, LosesSignalOfDead: 9, WakesPastOwner: 11, SignalsNewest: 11, SleepsWithLock: 11,
	BroadcastsToOne: 9, PoisonForgetsSleepers: 12, SignalledFirst: 11, PassesBroadcastOn: 0,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	twintest.Break(t, breaks, Bugs(), func(b Bug) Config { return Config{Fibers: 4, Cond: b > WaitsForFree, Bug: b} })
}
