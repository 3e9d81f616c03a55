package proptest

import (
	"testing"

	"github.com/selvage-dev/selvage/spec"
)

// wide are machines whose graphs too large to search.
var wide = []spec.Config{
	{Fibers: 6, Trampolines: 4, Tokens: 4, Tickets: 2, Deadlines: 2, Masks: 2, Pins: 3},
	{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true, Runs: true},
	{Fibers: 3, Trampolines: 2, Tokens: 2, Tickets: 2},
	{Fibers: 2, Trampolines: 4, Tokens: 1, Tickets: 1, Deadlines: 1, Masks: 1, Grace: true},
	{Fibers: 6, Trampolines: 0, Tokens: 4, Tickets: 2, Fronts: true},
	{Fibers: 4, Trampolines: 4, Tokens: 0, Tickets: 1, Pins: 4, AllNest: true},
	{Fibers: 5, Trampolines: 2, Tokens: 2, Tickets: 2, Masks: 2, Pins: 2, Moves: true, Outside: true, Lends: true, Fronts: true, Holds: true},
	{Fibers: 6, Trampolines: 2, Tokens: 2, Tickets: 2, Deadlines: 2, Masks: 1, Grace: true, Pins: 2, Holds: true},
	{Fibers: 6, Trampolines: 2, Tokens: 2, Tickets: 2, Deadlines: 1, Pins: 2, Moves: true, Lends: true, Holds: true, Free: true},
}

// hosts are all the ways a host can be.
func hosts() []Host {
	var all []Host
	for bits := range 32 {
		all = append(all, Host{Objects: bits&1 > 0, Lazy: bits&2 > 0, Shell: bits&4 > 0, Variants: bits&8 > 0, Merges: bits&16 > 0})
	}
	return all
}

const walkLength = 2000

// A walk that never gets anywhere proves nothing: each kind of action, each answer and
// each status must come up, and chains and queues of full length.
func TestWalksSeeEverythingThereIs(t *testing.T) {
	kinds, answers, statuses := map[spec.Kind]int{}, map[spec.Answer]int{}, map[spec.Status]int{}
	for _, c := range []spec.Config{wide[0], wide[1], wide[len(wide)-3], wide[len(wide)-1]} {
		w := NewWalk(NewLockstep(c, Host{}))
		if err := w.Wander(1, 20_000); err != nil {
			t.Fatal(w.Explain(func() *Lockstep { return NewLockstep(c, Host{}) }, err))
		}
		deepest, longest, pins := uint8(0), uint8(0), 0
		s := c.Init()
		for _, a := range w.Taken {
			var answer spec.Answer
			s, answer = c.Do(s, a)
			kinds[a.Kind]++
			answers[answer]++
			for x := range c.Slots() {
				statuses[s.Contexts[x].Status]++
			}
			for f := range c.Fibers {
				deepest = max(deepest, s.Fibers[f].Depth)
			}
			longest, pins = max(longest, s.ReadyLen), max(pins, len(s.Pins()))
		}
		t.Logf("chains up to %d, queues up to %d, pins up to %d", deepest, longest, pins)
		if int(deepest) != c.Trampolines || int(longest) != c.Fibers || pins != c.Pins {
			t.Error("some list is never full")
		}
	}
	t.Logf("%v\n%v\n%v", kinds, answers, statuses)
	if len(kinds) != len(spec.Kinds()) || len(statuses) != 6 {
		t.Error("something never occurs")
	}
	for answer := spec.AnswerParked; answer <= spec.AnswerStackInversion; answer++ {
		if answers[answer] == 0 {
			t.Errorf("answer %v never occurs", answer)
		}
	}
}
