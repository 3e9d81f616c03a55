package spec

// complete is the one terminal completion of token k.
func (c Config) complete(s *State, k int) Answer {
	t := &s.Tokens[k]
	t.Flying = false
	waiter := t.Waiter
	switch {
	case t.State == Orphan:
		t.end(Free)
		return AnswerLate
	case waiter == NoSlot:
		if c.Bug != DropsEarly {
			t.State = Done
		}
		return AnswerEarly
	}
	t.end(Free)
	if s.Contexts[waiter].Latch == Armed {
		c.latch(s, waiter)
		return AnswerLatched
	}
	c.wake(s, waiter)
	return AnswerWoken
}

// cancel asks the chain of root f to unwind. The first cancel counts; a doomed fiber
// is past it.
func (c Config) cancel(s *State, f Slot) {
	root := &s.Fibers[f]
	if root.Doomed || root.Cancel != NotCancelled {
		return
	}
	if c.Grace {
		s.Grace = f
	}
	if !s.waits(f) || root.masked() && c.Bug != IgnoresMask || c.Bug == SleepsThroughCancel {
		root.Cancel = CancelPending
		if c.Bug == QueuesTwice && s.Contexts[f].Status == Runnable {
			c.enqueue(s, f)
		}
		return
	}
	root.Cancel = CancelTaken
	c.wake(s, s.Top(f))
}

// kill ends the chain of root f: at once if it is blocked and has nothing to unwind,
// otherwise it is doomed and runs only to unwind.
func (c Config) kill(s *State, f Slot) {
	root := &s.Fibers[f]
	switch {
	case root.Doomed:
	case c.Bug == KillsLent && root.Lent && s.Frameless(f):
		c.endLife(s, f)
	case !s.waits(f):
		root.Doomed = true
		if root.Held && c.Bug != HoldsThroughKill {
			c.unhold(s, f)
		}
	case s.Frameless(f):
		c.endLife(s, f)
	default:
		root.Doomed = true
		if c.Bug != SleepsThroughKill && (c.Bug != MasksKill || !root.masked()) {
			c.wake(s, s.Top(f))
		}
	}
}
