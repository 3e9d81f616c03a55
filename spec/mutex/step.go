package mutex

// Step performs an action in place. False: it is not enabled, and s is as it was.
func (c Config) Step(s *State, a Action) (Answer, bool) {
	if !c.Can(s, a) {
		return AnswerRefused, false
	}
	return c.do(s, a), true
}

// Can tells whether s enables a.
func (c Config) Can(s *State, a Action) bool {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Spawn:
		return f.Status == Dead
	case Lock:
		return f.Status == Ready
	case Wait:
		free := s.Owner == NoFiber && c.Bug != WaitsForFree
		return f.Status == Ready && !s.Poisoned && !free && s.Owner != a.Fiber
	case Unlock, Await:
		return f.Status == Ready && s.Owner == a.Fiber
	case Signal, Broadcast:
		return true
	case GiveUp:
		return f.Status == Waits
	case Claim:
		return f.Status == Woken
	case Repair:
		return s.Poisoned
	}
	return f.Status != Dead
}

func (c Config) do(s *State, a Action) Answer {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Spawn:
		f.Status = Ready
	case Lock:
		return c.lock(s, a.Fiber)
	case Wait:
		f.Status, f.Number = Waits, s.freeNumber(a.Fiber)
		s.Line.Push(Waiter{a.Fiber, f.Number})
	case Unlock:
		return c.handOver(s)
	case GiveUp:
		c.end(s, Waiter{a.Fiber, f.Number}, Quit)
		c.passOn(s, a.Fiber, LosesSignalOfQuitter)
	case Claim:
		return c.claim(s, a.Fiber)
	case Kill:
		return c.kill(s, a.Fiber)
	case Repair:
		s.Poisoned = false
	case Await, Signal, Broadcast:
		return c.doCond(s, a)
	}
	return NoAnswer
}

func (c Config) lock(s *State, fiber uint8) Answer {
	barge := c.Bug == BargesIn && s.Granted != NoNumber
	switch {
	case s.Poisoned:
		return AnswerPoisoned
	case s.Owner == fiber:
		return AnswerDouble
	case s.Owner != NoFiber && !barge:
		return AnswerBusy
	}
	s.Owner, s.Granted = fiber, NoNumber
	return AnswerLocked
}

// handOver gives the lock to the fiber that has waited longest, or frees it.
func (c Config) handOver(s *State) Answer {
	s.Owner, s.Granted = NoFiber, NoNumber
	if s.Line.Len() == 0 {
		return AnswerFreed
	}
	next := c.next(s)
	if c.Bug != WakesWithoutLock {
		s.Owner, s.Granted = next.Fiber, next.Number
	}
	c.end(s, next, OK)
	if c.Bug == WakesTwo && s.Line.Len() > 0 {
		c.end(s, c.next(s), OK)
	}
	return AnswerHanded
}

// next takes the fiber that has waited longest out of the line, or makes that mistake.
func (c Config) next(s *State) Waiter {
	if c.Bug == ServesNewest {
		return s.Line.Remove(s.Line.Len() - 1)
	}
	return s.Line.Remove(0)
}

// end ends a wait, unless the ticket is not of the current one, and takes it out of the
// line.
func (c Config) end(s *State, w Waiter, how Code) {
	f := &s.Fibers[w.Fiber]
	if f.Status != Waits || f.Number != w.Number {
		return
	}
	f.Status, f.Code = Woken, how
	f.Chosen = f.Chosen && how != Failed
	s.Sleepers.Delete(w)
	if c.Bug != KeepsQuitters || how != Quit {
		s.Line.Delete(w)
	}
}

func (c Config) claim(s *State, fiber uint8) Answer {
	f := &s.Fibers[fiber]
	code := f.Code
	*f = Fiber{Status: Ready, Number: NoNumber}
	switch code {
	case Failed:
		return AnswerPoisoned
	case Quit:
		return AnswerQuit
	}
	if c.Bug != KeepsGrant {
		s.Granted = NoNumber
	}
	return AnswerLocked
}

func (c Config) kill(s *State, fiber uint8) Answer {
	f := &s.Fibers[fiber]
	was := f.Status
	if was == Waits {
		s.Line.Delete(Waiter{fiber, f.Number})
		s.Sleepers.Delete(Waiter{fiber, f.Number})
	}
	*f = Fiber{Status: Dead, Number: NoNumber, Chosen: f.Chosen}
	c.passOn(s, fiber, LosesSignalOfDead)
	unheard := c.Bug == ForgetsOwner && was == Ready || c.Bug == ForgetsHeir && was == Woken
	if s.Owner != fiber || unheard {
		return NoAnswer
	}
	if c.HandOn || c.Bug == HandsOnAnyway {
		return c.handOver(s)
	}
	c.poison(s)
	return AnswerPoisoned
}

// poison makes the lock useless until what it guards is repaired.
func (c Config) poison(s *State) {
	s.Poisoned, s.Owner, s.Granted = true, NoFiber, NoNumber
	code := Failed
	if c.Bug == PoisonIsSuccess {
		code = OK
	}
	for s.Line.Len() > 0 && c.Bug != PoisonForgetsWaiters {
		c.end(s, c.next(s), code)
	}
	for s.Sleepers.Len() > 0 && c.Bug != PoisonForgetsSleepers {
		c.end(s, s.Sleepers.Remove(0), Failed)
	}
}
