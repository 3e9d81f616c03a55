package mutex

// freeNumber is the smallest ticket number of the fiber that stands nowhere.
func (s *State) freeNumber(fiber uint8) (n uint8) {
	for s.Line.Index(Waiter{fiber, n}) >= 0 || s.Sleepers.Index(Waiter{fiber, n}) >= 0 {
		n++
	}
	return n
}

func (c Config) doCond(s *State, a Action) Answer {
	switch a.Kind {
	case Await:
		return c.await(s, a.Fiber)
	case Signal:
		return c.signal(s, true)
	}
	told := NoAnswer
	for s.Sleepers.Len() > 0 && (told == NoAnswer || c.Bug != BroadcastsToOne) {
		if answer := c.signal(s, c.Bug == PassesBroadcastOn); told == NoAnswer {
			told = answer
		}
	}
	return told
}

// await gives the lock up to wait for a signal.
func (c Config) await(s *State, fiber uint8) Answer {
	f := &s.Fibers[fiber]
	f.Status, f.Number = Waits, s.freeNumber(fiber)
	s.Sleepers.Push(Waiter{fiber, f.Number})
	if c.Bug == SleepsWithLock {
		return NoAnswer
	}
	return c.handOver(s)
}

// signal moves the fiber that has waited longest into the line for the lock, or gives it the lock
// if that is free.
func (c Config) signal(s *State, single bool) Answer {
	if s.Sleepers.Len() == 0 {
		return NoAnswer
	}
	at := 0
	if c.Bug == SignalsNewest {
		at = s.Sleepers.Len() - 1
	}
	w := s.Sleepers.Remove(at)
	s.Fibers[w.Fiber].Chosen = single
	if s.Owner == NoFiber || c.Bug == WakesPastOwner {
		s.Owner, s.Granted = w.Fiber, w.Number
		c.end(s, w, OK)
		return AnswerHanded
	}
	if c.Bug == SignalledFirst {
		s.Line.PushFront(w)
	} else {
		s.Line.Push(w)
	}
	return AnswerBusy
}

// passOn has the signal that chose a fiber, which has not run, go on to the next.
func (c Config) passOn(s *State, fiber uint8, lost Bug) {
	f := &s.Fibers[fiber]
	was := f.Chosen
	f.Chosen = false
	if was && c.Bug != lost {
		c.signal(s, true)
	}
}
