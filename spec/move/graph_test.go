package move

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
	{Config{Fibers: 1, Slots: 1}, 76, 484},
	{Config{Fibers: 2, Slots: 1}, 1342, 11_620},
	{Config{Fibers: 2, Slots: 2}, 23_192, 239_776},
	{Config{Fibers: 3, Slots: 1}, 17_874, 186_600},
}

func TestEveryReachableStateKeepsTheInvariants(t *testing.T) {
	for _, b := range bounds {
		t.Run(fmt.Sprintf("F%d S%d", b.Fibers, b.Slots), func(t *testing.T) {
			twintest.Explore(t, b.Config, b.states, b.edges)
		})
	}
}

func TestTheSmallGraphHasEveryKindAndAnswerAndEqualKeysOnlyForEqualStates(t *testing.T) {
	var kindSeen [kinds]bool
	answerSeen := [answers]bool{AnswerRefused: true}
	twintest.Keys(t, Config{Fibers: 2, Slots: 2}, func(a Action, r Answer) { kindSeen[a.Kind], answerSeen[r] = true, true })
	twintest.Occur(t, kindSeen[:], func(i int) string { return Kind(i).String() })
	twintest.Occur(t, answerSeen[:], func(i int) string { return "the answer " + Answer(i).String() })
}

func TestBoundsThatDoNotFitAreAnError(t *testing.T) {
	twintest.Fit(t, ErrBounds, []Config{
		{}, {Fibers: MaxFibers + 1, Slots: 1}, {Fibers: 1, Slots: MaxSlots + 1}, {Fibers: 1}, {Fibers: 1, Slots: 1, Bug: 99},
	})
}

// breaks is the invariant that each bug must be seen to break first; 0 is none: that
// mistake shows only beside the other twin, or as a claim that fails.
var breaks = map[Bug]uint8{
	LivesOn: 12, ComesTwice: 12, LosesRefused: 12, KeepsTicket: 5, TakesStrays: 5, MovesJoiner: 10,
	CompletesEarly: 12, EndsInSilence: 12, TellsItself: 12, ForgetsReturn: 12, TellsTwice: 12,
	CallsItDeadlock: 9, AbandonsInSilence: 12, BringsInFront: 0, HearsNothing: 0, ForgetsAbsent: 12,
	CallsItGone: 0, MissesOne: 12, MovesTold: 10,
}

func TestEveryBugBreaksItsInvariant(t *testing.T) {
	twintest.Break(t, breaks, Bugs(), func(b Bug) Config {
		if b == LosesRefused {
			return Config{Fibers: 2, Slots: 1, Bug: b} // where there may be no room
		}
		return Config{Fibers: 2, Slots: 2, Bug: b}
	})
}
