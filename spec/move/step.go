package move

// Step performs an action in place. False: it is not enabled, and s is as it was.
func (c Config) Step(s *State, a Action) (Answer, bool) {
	if !c.Can(s, a) {
		return AnswerRefused, false
	}
	switch a.Kind {
	case Spawn, MoveIn, MoveOut, Abandon:
		return c.move(s, a), true
	case Join, Wake, Kill, Order:
		return c.order(s, a), true
	case Deliver, Stray:
		return c.deliver(s, a), true
	}
	return c.turn(s, a.Kind, a.At), true
}

// Can tells whether s enables a.
func (c Config) Can(s *State, a Action) bool {
	switch {
	case a.Kind.ofFiber():
		return c.canFiber(s, a)
	case a.Kind.ofSlot():
		return s.Slots[a.At].Hand != NotHeld
	}
	at := &s.Schedulers[a.At]
	switch nobody := at.Current == None; a.Kind {
	case Next:
		return nobody && (at.ready.Len() > 0 || at.inbox.Len() > 0)
	case Idle:
		return nobody && at.ready.Len() == 0
	case Wait:
		return !nobody && s.Slots[s.Fibers[at.Current].At].Hand == NotHeld
	default:
		return !nobody
	}
}

func (c Config) canFiber(s *State, a Action) bool {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Spawn:
		return f.Status == Gone && c.room(s, a.At) != None
	case MoveIn:
		return f.Status == Adrift && (c.room(s, a.At) != None || c.Bug == LosesRefused)
	case MoveOut:
		return f.Status == Ready && (!f.Told || c.Bug == MovesTold) || c.Bug == MovesJoiner && f.Status == Joins
	case Abandon:
		return f.Status == Adrift
	case Order:
		return f.Kept
	case Wake:
		return f.Status == Waits
	case Kill:
		return f.Status == Waits || f.Status == Joins
	}
	return f.Status != Gone && c.canJoin(s, a.Fiber) // Join
}

// canJoin: another fiber runs at the fiber's home, and no fiber waits for its end yet.
func (c Config) canJoin(s *State, fiber uint8) bool {
	for i := range s.Fibers {
		if s.Fibers[i].Goal == fiber {
			return false
		}
	}
	current := s.Schedulers[s.Fibers[fiber].Home].Current
	return current != None && current != fiber
}

// turn is what the loop of one scheduler does, or its current fiber.
func (c Config) turn(s *State, k Kind, scheduler uint8) Answer {
	at := &s.Schedulers[scheduler]
	switch k {
	case Idle:
		return c.verdict(s, scheduler)
	case Next:
		if c.Bug != HearsNothing {
			c.hear(s, at)
		}
		if at.ready.Len() > 0 {
			at.Current = at.ready.Pop()
			f := &s.Fibers[at.Current]
			f.Status, f.Told = Runs, false
		}
		return NoAnswer
	}
	fiber := at.Current
	at.Current = None
	switch k {
	case Yield:
		c.enqueue(s, fiber)
	case Exit:
		c.vacate(s, fiber)
		c.end(s, fiber, scheduler)
	case Wait:
		s.Fibers[fiber].Status = Waits
		s.Slots[s.Fibers[fiber].At].Hand = Held
	}
	return NoAnswer
}

// hear completes the cells of those who have ended elsewhere.
func (c Config) hear(s *State, at *Scheduler) {
	for at.inbox.Len() > 0 {
		c.complete(s, at.inbox.Pop())
	}
}

// verdict is what a scheduler is waiting for in which no fiber can run.
func (c Config) verdict(s *State, scheduler uint8) Answer {
	alive, told := false, AnswerDeadlock
	for f := range uint8(c.Fibers) {
		if c.Where(s, f) != scheduler {
			continue
		}
		alive = true
		if goal := s.Fibers[f].Goal; goal != None && s.Fibers[goal].Kept && c.Bug != CallsItDeadlock {
			told = AnswerWaiting
		}
	}
	switch {
	case s.Schedulers[scheduler].inbox.Len() > 0:
		return AnswerBusy
	case !alive:
		return AnswerDone
	}
	return told
}

// order is what is done to a fiber by name.
func (c Config) order(s *State, a Action) Answer {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Join:
		at := &s.Schedulers[f.Home]
		joiner := &s.Fibers[at.Current]
		joiner.Status, joiner.Goal = Joins, a.Fiber
		at.Current = None
	case Wake:
		c.enqueue(s, a.Fiber)
	case Kill:
		f.Goal = None
		where := c.Where(s, a.Fiber)
		c.vacate(s, a.Fiber)
		c.end(s, a.Fiber, where)
	case Order:
		f.Kept = c.Bug != ForgetsAbsent
		if c.Bug == CallsItGone {
			return AnswerGone
		}
		return AnswerMovedOut
	}
	return NoAnswer
}

// deliver uses the ticket of a slot, at its own scheduler or at the other one.
func (c Config) deliver(s *State, a Action) Answer {
	x := &s.Slots[a.At]
	if a.Kind == Stray {
		there := &s.Slots[(int(a.At)+c.Slots)%(Schedulers*c.Slots)]
		if c.Bug == TakesStrays && there.Who != None && s.Fibers[there.Who].Status == Waits {
			c.enqueue(s, there.Who)
			return AnswerWoken
		}
		return AnswerWrongSource
	}
	hand := x.Hand
	x.Hand = NotHeld
	switch {
	case hand == HeldOld:
		return AnswerGone
	case x.Who == None || s.Fibers[x.Who].Status != Waits:
		return AnswerStale
	}
	c.enqueue(s, x.Who)
	return AnswerWoken
}

// enqueue makes a fiber ready at the back of the queue where it lives.
func (c Config) enqueue(s *State, fiber uint8) {
	f := &s.Fibers[fiber]
	f.Status = Ready
	s.Schedulers[c.of(f.At)].ready.Push(fiber)
}
