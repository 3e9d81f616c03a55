package spec

// doWait is the part of do that the executing context plays in its own wait.
func (c Config) doWait(s *State, a Action) Answer {
	x := s.Exec()
	switch a.Kind {
	case ArmOutside:
		c.arm(s, x)
		s.Contexts[x].Outside = true
	case ArmQueue, ArmTimer:
		c.arm(s, x)
		s.setDeadline(x, a)
	case ArmIO:
		c.arm(s, x)
		if c.await(s, x) {
			s.setDeadline(x, a)
		}
	case Disarm:
		c.disarm(s, x)
	case Block:
		return c.block(s, x)
	}
	return NoAnswer
}

// arm gives x's next wait the smallest ticket number that is free.
func (c Config) arm(s *State, x Slot) {
	ctx := &s.Contexts[x]
	n := 0
	for ctx.Hands[n] != NotHeld {
		n++
	}
	ctx.Hands[n] = Held
	ctx.Seq = Number(n)
	ctx.Latch = Armed
}

// await registers the armed wait with its token. A token that is done already ends the
// wait at once: false.
func (c Config) await(s *State, x Slot) bool {
	k, _ := s.TokenOf(s.Current)
	if s.Tokens[k].State == InFlight {
		s.Tokens[k].Waiter = x
		return true
	}
	s.Tokens[k].end(Free)
	s.Contexts[x].Seq = NoNumber
	s.Contexts[x].Latch = Latched
	return false
}

// disarm takes the wait back. A token is in flight again, awaited by no fiber.
func (c Config) disarm(s *State, x Slot) {
	if k, ok := s.Awaited(x); ok {
		s.Tokens[k].Waiter = NoSlot
	}
	c.clearDeadline(s, x)
	c.clearOutside(s, x)
	s.Contexts[x].Seq = NoNumber
	s.Contexts[x].Latch = Unarmed
}

// block commits the wait of the executing context x, unless it has ended already or
// must not begin.
func (c Config) block(s *State, x Slot) Answer {
	root := &s.Fibers[s.Current]
	if s.Contexts[x].Latch == Latched && c.Bug != BlocksOverLatch {
		s.Contexts[x].Latch = Unarmed
		if x.IsTrampoline() {
			return AnswerResumed
		}
		s.Current = NoSlot
		c.enqueue(s, x)
		return AnswerRequeued
	}
	if root.unwinds() || root.Cancel == CancelPending && !root.masked() {
		c.endWait(s, x)
		if root.unwinds() {
			return AnswerKilled
		}
		root.Cancel = CancelTaken
		return AnswerCancelled
	}
	if s.barred(s.Current) {
		c.pinCall(s, x)
		return AnswerPinned
	}
	c.park(s, x)
	return AnswerParked
}

// park blocks x on what it armed and every caller below it on its callee.
func (c Config) park(s *State, x Slot) {
	f := s.Current
	for _, t := range s.ChainOf(f) {
		s.Contexts[t].Status = BlockedQueue
	}
	s.Contexts[f].Status = BlockedQueue
	if _, io := s.Awaited(x); io {
		s.Contexts[x].Status = BlockedIO
	}
	if s.Sleeps(x) {
		s.Contexts[x].Status = BlockedTimer
	}
	s.Contexts[x].Latch = Unarmed
	if c.Bug != KeepsCurrent {
		s.Current = NoSlot
	}
}

// endWait ends x's wait, armed or blocked, other than by what it waited for: its
// ticket is spent, its deadline off and its token abandoned. It does nothing to a context without one.
func (c Config) endWait(s *State, x Slot) {
	if k, ok := s.Awaited(x); ok && c.Bug != KeepsRegistration {
		s.Tokens[k].end(Orphan)
	}
	c.clearDeadline(s, x)
	c.clearOutside(s, x)
	s.Contexts[x].Seq = NoNumber
	s.Contexts[x].Latch = Unarmed
}

// wake ends x's blocked wait and lets its chain run again: the trampolines Running,
// the root in the ready queue. Under a pump the root is Running and x alone is not.
func (c Config) wake(s *State, x Slot) {
	c.endWait(s, x)
	f := s.Root(x)
	if x.IsTrampoline() && c.Bug == QueuesTrampoline {
		c.enqueue(s, x)
		return
	}
	if s.isPinned(f) && c.Bug != QueuesPinned {
		s.Contexts[x].Status = Running
		return
	}
	for _, t := range s.ChainOf(f) {
		if t == x || c.Bug != WakesHalfChain {
			s.Contexts[t].Status = Running
		}
	}
	c.enqueue(s, f)
}

// deliver uses ticket n of slot x. Its holder has it no more, except that the ticket
// of an IO or Timer wait stays in circulation: the scheduler refuses it without a change.
func (c Config) deliver(s *State, x Slot, n Number) Answer {
	ctx := &s.Contexts[x]
	held := ctx.Hands[n]
	current := ctx.Seq == n || c.Bug == IgnoresWait && ctx.Seq != NoNumber
	_, io := s.Awaited(x)
	if held == Held && current && (io || s.Sleeps(x) && c.Bug != DeliversToTimer) {
		return AnswerWrongSource
	}
	ctx.Hands[n] = NotHeld
	switch {
	case held == HeldOld:
		return AnswerGone
	case !current:
		return AnswerStale
	case ctx.Latch == Armed:
		c.latch(s, x)
		return AnswerLatched
	}
	c.wake(s, x)
	return AnswerWoken
}

// latch ends the wait of a context that has not blocked yet.
func (c Config) latch(s *State, x Slot) {
	if c.Bug == DropsLatch {
		return
	}
	c.clearDeadline(s, x)
	c.clearOutside(s, x)
	s.Contexts[x].Seq = NoNumber
	s.Contexts[x].Latch = Latched
}
