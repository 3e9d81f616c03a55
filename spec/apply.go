package spec

import "slices"

// Apply performs a and returns the next state; s itself if a is not enabled.
func (c Config) Apply(s State, a Action) State {
	next, _ := c.Do(s, a)
	return next
}

// Do is Apply together with what the caller is told. The action must be one of All.
func (c Config) Do(s State, a Action) (State, Answer) {
	answer, _ := c.Step(&s, a)
	return s, answer
}

// Step is Do in place; false if it is refused.
func (c Config) Step(s *State, a Action) (Answer, bool) {
	if !c.Can(s, a) {
		return AnswerRefused, false
	}
	return c.do(s, a), true
}

// do performs an enabled action in place.
func (c Config) do(s *State, a Action) Answer {
	switch a.Kind {
	case Spawn:
		c.begin(s, a.Slot())
		f := &s.Fibers[a.A]
		f.Frames, f.Nests, f.Movable = a.Frames(), a.Nests(), a.Movable()
		c.enqueue(s, a.Slot())
		if a.Front() && c.Bug != JumpsLast {
			s.advance()
		}
	case Next:
		c.next(s)
	case Yield:
		f := s.Current
		s.Current = NoSlot
		c.enqueue(s, f)
	case Exit:
		f := s.Current
		s.Current = NoSlot
		if c.Bug != SwallowsEnd || s.pinned == 0 {
			c.endLife(s, f)
		}
	case Acquire:
		c.acquire(s, a.Slot())
	case Release:
		c.release(s)
	case ArmQueue, ArmIO, ArmTimer, ArmOutside, Disarm, Block:
		return c.doWait(s, a)
	case Expire:
		c.expire(s)
	case Mask, Unmask, Interrupted:
		return c.doMask(s, a.Kind)
	case YieldPinned, Unpin, FailPinned:
		return c.doPump(s, a.Kind)
	case MoveOut, MoveIn, Tie, Untie:
		c.doMove(s, a)
	case Promise:
		s.Promised = true
	case TakeBack:
		s.Promised = c.Bug == KeepsPromise
	case EndRun:
		return c.endRun(s)
	case Hold, Resume:
		c.doHold(s, a)
	case Pick:
		c.pick(s, a.Slot())
	case Lend, Recall:
		c.doLend(s, a)
	case WakeID:
		c.wake(s, a.Slot())
	case Deliver:
		return c.deliver(s, a.Slot(), a.Number())
	case IoSubmit:
		s.Tokens[a.A] = Token{State: InFlight, Owner: s.Current, Waiter: NoSlot, Flying: true}
	case IoDone:
		return c.complete(s, a.Token())
	case Cancel:
		c.cancel(s, s.Root(a.Slot()))
	case Kill:
		c.kill(s, s.Root(a.Slot()))
	}
	return NoAnswer
}

// Retired is true if x has had its last generation: no fiber lives there any more once that
// one is dead.
func (c Config) Retired(s *State, x Slot) bool {
	return c.Lives > 0 && int(s.Contexts[x].Life) >= c.Lives
}

// begin counts a life.
func (c Config) begin(s *State, x Slot) {
	if c.Lives > 0 {
		s.Contexts[x].Life++
	}
}

// enqueue makes f Runnable at the back of the ready queue.
func (c Config) enqueue(s *State, f Slot) {
	s.Contexts[f].Status = Runnable
	if int(s.ReadyLen) < len(s.Ready) {
		s.Ready[s.ReadyLen] = f
		s.ReadyLen++
	}
}

// advance takes the last of the ready queue to its front.
func (s *State) advance() {
	last := s.ReadyLen - 1
	f := s.Ready[last]
	copy(s.Ready[1:], s.Ready[:last])
	s.Ready[0] = f
}

// dequeue takes f out of the ready queue.
func (s *State) dequeue(f Slot) {
	i := slices.Index(s.Queue(), f)
	copy(s.Ready[i:], s.Ready[i+1:s.ReadyLen])
	s.ReadyLen--
	s.Ready[s.ReadyLen] = NoSlot
}

// next mounts the head of the ready queue.
func (c Config) next(s *State) {
	c.reapHeads(s)
	if s.ReadyLen == 0 {
		return
	}
	f := s.Ready[0]
	if c.Bug == TakesNewest {
		f = s.Ready[s.ReadyLen-1]
	}
	s.dequeue(f)
	s.Contexts[f].Status = Running
	s.Current = f
}

// reapHeads buries the heads of the ready queue that are doomed and have nothing to
// unwind.
func (c Config) reapHeads(s *State) {
	for s.ReadyLen > 0 && s.Reapable(s.Ready[0]) {
		f := s.Ready[0]
		s.dequeue(f)
		c.endLife(s, f)
	}
}

// endLife ends the life in regular slot f: its token is abandoned or dropped, its
// tickets are of an earlier life from now on.
func (c Config) endLife(s *State, f Slot) {
	c.endWait(s, f)
	if k, ok := s.TokenOf(f); ok {
		if s.Tokens[k].State == Done || c.Bug == LosesToken {
			s.Tokens[k].end(Free)
		} else {
			s.Tokens[k].end(Orphan)
		}
	}
	s.Fibers[f] = Fiber{Chain: s.Fibers[f].Chain}
	if s.Grace == f && c.Bug != KeepsGrace {
		s.Grace = NoSlot
	}
	c.clearSlot(s, f)
}

// end takes the token from its owner, in state Free or Orphan.
func (t *Token) end(in TokenState) { t.State, t.Owner, t.Waiter = in, NoSlot, NoSlot }

func (c Config) clearSlot(s *State, x Slot) {
	ctx := &s.Contexts[x]
	ctx.Status = Dead
	for n, h := range ctx.Hands {
		if h == Held && c.Bug != IgnoresLife {
			ctx.Hands[n] = HeldOld
		}
	}
}

func (c Config) acquire(s *State, t Slot) {
	root := &s.Fibers[s.Current]
	root.Chain[root.Depth] = t
	root.Depth++
	c.begin(s, t)
	s.Contexts[t].Status = Running
}

func (c Config) release(s *State) {
	t := s.Exec()
	root := &s.Fibers[s.Current]
	root.Depth--
	root.Chain[root.Depth] = NoSlot
	c.clearSlot(s, t)
}
