package proptest

import "github.com/selvage-dev/selvage/spec"

// Drain is the next action on the way from s to the first state of the model, and
// false there: all of them legal, as a host would end everything. A scheduler that has
// been led home has had a life, which a new one has not.
func Drain(c spec.Config, s *spec.State) (spec.Action, bool) {
	x := s.Exec()
	if f, lent := lentOf(s); lent && x == spec.NoSlot {
		return spec.Action{Kind: spec.Recall, A: uint8(f)}, true
	}
	switch {
	case x == spec.NoSlot && len(s.Pins()) > 0:
		return unwindPump(s), true
	case x == spec.NoSlot && s.ReadyLen > 0:
		return spec.Action{Kind: spec.Next}, true
	case x == spec.NoSlot:
		return sweep(c, s)
	case s.Contexts[x].Latch != spec.Unarmed:
		return spec.Action{Kind: spec.Disarm}, true
	case x.IsTrampoline():
		return spec.Action{Kind: spec.Release}, true
	}
	return spec.Action{Kind: spec.Exit}, true
}

func lentOf(s *spec.State) (spec.Slot, bool) {
	for f := range s.Fibers {
		if s.Fibers[f].Lent {
			return spec.Regular(f), true
		}
	}
	return spec.NoSlot, false
}

// unwindPump takes up the innermost pinned call, which is killed if it waits.
func unwindPump(s *spec.State) spec.Action {
	if call, goesOn := s.Pump(); !goesOn {
		return spec.Action{Kind: spec.Kill, A: uint8(call)}
	}
	return spec.Action{Kind: spec.Unpin}
}

// sweep ends fibers that are blocked, operations at the device, tickets that are held, and a run that
// has a verdict to report.
func sweep(c spec.Config, s *spec.State) (spec.Action, bool) {
	for f := range c.Fibers {
		if s.Contexts[f].Status != spec.Dead {
			return spec.Action{Kind: spec.Kill, A: uint8(f)}, true
		}
	}
	for k := range c.Tokens {
		if s.Tokens[k].Flying {
			return spec.Action{Kind: spec.IoDone, A: uint8(k)}, true
		}
	}
	for x := range c.Slots() {
		for n, h := range s.Contexts[x].Hands {
			if h != spec.NotHeld {
				return spec.Action{Kind: spec.Deliver, A: uint8(x), B: uint8(n)}, true
			}
		}
	}
	if s.Promised {
		return spec.Action{Kind: spec.TakeBack}, true
	}
	return spec.Action{Kind: spec.EndRun}, c.Runs && s.Verdict != spec.NoAnswer
}
