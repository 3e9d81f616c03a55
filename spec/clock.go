package spec

import "github.com/selvage-dev/selvage/spec/graph"

// Deadline is one of the deadlines that can be live at once. Nothing is left of time
// but its order: in State.Deadlines an earlier one always comes first.
type Deadline struct {
	// Holder is the context whose wait it is to end, NoSlot if it is off.
	Holder Slot
	// Alone: a Timer wait; nothing but the deadline is waited for.
	Alone bool
}

// off means no deadline.
var off = Deadline{Holder: NoSlot}

// DeadlineOf is x's live deadline, and false if it has none.
func (s *State) DeadlineOf(x Slot) (d int, ok bool) {
	for d := range s.Deadlines {
		if s.Deadlines[d].Holder == x && x != NoSlot {
			return d, true
		}
	}
	return 0, false
}

func (s *State) hasDeadline(x Slot) bool {
	_, has := s.DeadlineOf(x)
	return has
}

// Sleeps is true if x's wait is a Timer wait that has not ended.
func (s *State) Sleeps(x Slot) bool {
	d, ok := s.DeadlineOf(x)
	return ok && s.Deadlines[d].Alone
}

// Earliest is the deadline that comes next, and false if none is live.
func (s *State) Earliest() (d int, ok bool) {
	for d := range s.Deadlines {
		if s.Deadlines[d].Holder != NoSlot {
			return d, true
		}
	}
	return 0, false
}

// setDeadline gives the armed wait of x the deadline that a names, if it names one.
func (s *State) setDeadline(x Slot, a Action) {
	if d, has := a.Deadline(); has {
		s.Deadlines[d] = Deadline{Holder: x, Alone: a.Kind == ArmTimer}
	}
}

// clearDeadline takes off what x's wait had: it has ended.
func (c Config) clearDeadline(s *State, x Slot) {
	if d, ok := s.DeadlineOf(x); ok && c.Bug != KeepsDeadline {
		s.Deadlines[d] = off
	}
}

// expire ends the wait whose deadline is the earliest. Its holder is blocked: an armed
// one would be current, and time passes between slices only.
func (c Config) expire(s *State) {
	if s.GraceIsNext() {
		c.endGrace(s)
		return
	}
	d, _ := s.Earliest()
	if c.Bug == TakesLatest {
		for last := range s.Deadlines {
			if s.Deadlines[last].Holder != NoSlot {
				d = last
			}
		}
	}
	x := s.Deadlines[d].Holder
	if c.Bug == ExpiresInSilence {
		s.Deadlines[d] = off
		return
	}
	c.wake(s, x)
	c.reapHeads(s)
}

// checkDeadline: a live deadline is that of one wait, which has not ended; a fiber that waits
// for a deadline only has one.
func (c Config) checkDeadline(s *State, d int) Breach {
	t := s.Deadlines[d]
	if t.Holder == NoSlot {
		if t.Alone {
			return graph.Breaks(10, "deadline %d is off and of a Timer wait", d)
		}
		return Breach{}
	}
	w := &s.Contexts[t.Holder]
	if w.Seq == NoNumber {
		return graph.Breaks(10, "deadline %d is that of the ended wait of %v, which is %v", d, t.Holder, w.Status)
	}
	if w.Status.Blocked() && t.Alone != (w.Status == BlockedTimer) {
		return graph.Breaks(10, "deadline %d (alone: %v) is that of %v, which is %v", d, t.Alone, t.Holder, w.Status)
	}
	if first, _ := s.DeadlineOf(t.Holder); first != d {
		return graph.Breaks(10, "%v has the deadlines %d and %d", t.Holder, first, d)
	}
	return Breach{}
}

// stepExpire: no deadline overtakes an earlier one.
func stepExpire(from *State, a Action, to *State) Breach {
	if a.Kind == Expire && from.GraceIsNext() {
		return stepGrace(from.Grace, to)
	}
	d, _ := from.Earliest()
	if a.Kind == Expire && to.Deadlines[d] != off {
		return graph.Breaks(9, "%v lets deadline %d be overtaken", a, d)
	}
	return Breach{}
}
