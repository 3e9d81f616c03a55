package spec

import "slices"

// canHold: the fiber is the head of the ready queue, and need not unwind.
func (c Config) canHold(s *State, f Slot) bool {
	return s.Current == NoSlot && s.ReadyLen > 0 && s.Ready[0] == f && (!s.Fibers[f].Doomed || c.Bug == HoldsDoomed)
}

// doHold takes a fiber out of the ready queue, or puts it back. Its status does not change.
func (c Config) doHold(s *State, a Action) {
	f := a.Slot()
	switch a.Kind {
	case Hold:
		s.Fibers[f].Held = true
		if c.Bug != QueuesHeld {
			s.dequeue(f)
		}
		c.reapHeads(s)
	case Resume:
		if c.Bug == LosesResumed {
			s.Fibers[f].Held = false
			return
		}
		c.unhold(s, f)
		if c.Bug == ResumesInFront {
			s.advance()
		}
	}
}

// unhold puts a held fiber at the back of the ready queue.
func (c Config) unhold(s *State, f Slot) {
	s.Fibers[f].Held = false
	c.enqueue(s, f)
}

func (s *State) holdsAny() bool {
	return slices.ContainsFunc(s.Fibers[:], func(f Fiber) bool { return f.Held })
}
