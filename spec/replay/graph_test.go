package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/proptest"
	"github.com/selvage-dev/selvage/spec"
)

// every are machines with everything there is, each small enough to be searched through.
var every = []spec.Config{
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1},
	{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1},
	{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 2},
	{Fibers: 1, Trampolines: 0, Tokens: 1, Tickets: 1, Deadlines: 2},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 2},
	{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Deadlines: 1, Masks: 2},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true},
	{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 1, Grace: true},
	{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1},
	{Fibers: 1, Trampolines: 2, Tokens: 1, Tickets: 1, Pins: 2, AllNest: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Fronts: true},
	{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Masks: 1, Moves: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Lends: true},
	{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Outside: true, Lends: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Holds: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true, Holds: true},
	{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 1, Holds: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Deadlines: 1, Grace: true, Holds: true, Free: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Moves: true, Fronts: true, Free: true},
}

// A window shows enough: in every state a step through it is the step of the
// specification, and is refused where the specification refuses it.
func TestAStepThroughAWindowIsTheStepOfTheWholeMachine(t *testing.T) {
	for _, c := range every {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			t.Parallel()
			g, err := c.Explore(30_000, nil)
			if err != nil {
				t.Fatal(err)
			}
			n, stride := new(tally), 1
			if !long.On(t) {
				stride = 10
			}
			for i := 0; i < len(g.States); i += stride {
				n.tryEverything(t, c, &g.States[i])
			}
			n.log(t)
		})
	}
}

// wide are machines too large for that: with chains of four native calls, of which a
// window shows two, and with more of everything than it shows.
var wide = []spec.Config{
	{Fibers: 6, Trampolines: 4, Tokens: 4, Tickets: 2, Deadlines: 2, Masks: 2},
	{Fibers: 2, Trampolines: 4, Tokens: 2, Tickets: 1, Deadlines: 2},
	{Fibers: 3, Trampolines: 4, Tokens: 1, Tickets: 2, Deadlines: 1, Masks: 1, Grace: true},
	{Fibers: 6, Trampolines: 4, Tokens: 2, Tickets: 1, Deadlines: 1, Pins: 4},
	{Fibers: 3, Trampolines: 4, Tokens: 1, Tickets: 1, Pins: 4, AllNest: true},
	{Fibers: 6, Trampolines: 4, Tokens: 2, Tickets: 1, Masks: 2, Pins: 2, Moves: true, Outside: true, Lends: true, Fronts: true, Holds: true},
	{Fibers: 6, Trampolines: 4, Tokens: 2, Tickets: 1, Masks: 2, Pins: 2, Moves: true, Outside: true, Lends: true, Fronts: true, Holds: true, Free: true},
}

func TestAStepThroughAWindowIsTheStepOfALargeMachineTooWhereverAWalkComes(t *testing.T) {
	for _, c := range wide {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			t.Parallel()
			n, rng, deepest := new(tally), rand.New(rand.NewPCG(1, 2)), uint8(0)
			verdicts := 0
			s, all := c.Init(), []spec.Action(nil)
			for range 1000 {
				n.tryEverything(t, c, &s)
				all = c.Enabled(all[:0], &s)
				a, _ := proptest.Choose(all, rng.Uint32())
				s = c.Apply(s, a)
				if a.Kind == spec.FailPinned {
					verdicts++
				}
				for _, f := range s.Fibers {
					deepest = max(deepest, f.Depth)
				}
			}
			n.log(t)
			if c.AllNest && verdicts == 0 {
				t.Error("no verdict has failed a call")
			}
			if deepest < 3 {
				t.Errorf("no chain had more than %d calls, all of which a window shows", deepest)
			}
		})
	}
}

// tally counts what was compared.
type tally struct{ states, steps, refusals int }

func (n *tally) log(t *testing.T) {
	t.Logf("%d states, %d steps and %d refusals", n.states, n.steps, n.refusals)
}

// tryEverything does every action that a trace can say, both ways.
func (n *tally) tryEverything(t *testing.T, c spec.Config, s *spec.State) {
	t.Helper()
	n.states++
	r := load(c, s)
	was := show(r)
	for _, a := range c.All() {
		switch {
		case c.Can(s, a):
			n.steps++
			compare(t, c, s, a)
		case speaksOf(c, s, a):
			n.refusals++
			if err := sayAll(r, c, s, a, spec.AnswerRefused, s); err == nil {
				t.Fatalf("%s: %v is not refused", c.Key(s), a)
			}
			if is := show(r); is != was {
				t.Fatalf("%s: %v is refused and changes\n%s\nto\n%s", c.Key(s), a, was, is)
			}
		}
	}
}

// speaksOf tells whether a trace can say an action that is not enabled: not if that is
// because of a bound of the specification, or because the ticket is not held.
func speaksOf(c spec.Config, s *spec.State, a spec.Action) bool {
	switch a.Kind {
	case spec.Deliver, spec.Mask, spec.IoDone, spec.Tie, spec.Untie, spec.Promise, spec.TakeBack:
		return false
	case spec.Hold: // with Free the order of the ready queue is in no trace
		return !c.Free || s.Current != spec.NoSlot || s.Fibers[a.A].Doomed || !slices.Contains(s.Queue(), a.Slot())
	case spec.FailPinned: // a promise is in no trace
		return !s.Promised
	case spec.MoveOut: // a tie is in no trace
		return !s.Fibers[a.A].Tied
	case spec.Cancel:
		return s.Grace == spec.NoSlot
	case spec.ArmQueue, spec.ArmTimer, spec.ArmIO, spec.ArmOutside:
		return s.Current == spec.NoSlot || s.Contexts[s.Exec()].Latch != spec.Unarmed
	case spec.Acquire: // or too many are pinned
		return s.Current == spec.NoSlot || !s.Fibers[s.Current].Nests || len(s.Pins()) == 0
	case spec.IoSubmit:
		_, holds := s.TokenOf(s.Current)
		return !holds && s.Tokens[a.A].State == spec.Free
	}
	return true
}

// compare does an enabled action both ways.
func compare(t *testing.T, c spec.Config, from *spec.State, a spec.Action) {
	t.Helper()
	to, answer := c.Do(*from, a)
	r := load(c, from)
	if err := sayAll(r, c, from, a, answer, &to); err != nil {
		t.Fatalf("%s: %v (%v) is refused: %v", c.Key(from), a, answer, err)
	}
	if is, should := show(r), show(load(c, &to)); is != should {
		t.Fatalf("%s: %v leads to\n%s\nnot to\n%s", c.Key(from), a, is, should)
	}
}
