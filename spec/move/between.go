package move

// move is what brings a fiber into a scheduler or takes it out of one.
func (c Config) move(s *State, a Action) Answer {
	f := &s.Fibers[a.Fiber]
	switch a.Kind {
	case Spawn:
		f.Home = a.At
		c.settle(s, a.Fiber, a.At)
	case MoveIn:
		c.moveIn(s, a.Fiber, a.At)
	case MoveOut:
		c.moveOut(s, a.Fiber)
	case Abandon:
		c.end(s, a.Fiber, None)
	}
	return NoAnswer
}

// settle has a fiber live in a scheduler, ready.
func (c Config) settle(s *State, fiber, scheduler uint8) {
	x := c.room(s, scheduler)
	s.Slots[x].Who, s.Fibers[fiber].At = fiber, x
	s.Schedulers[scheduler].Live++
	c.enqueue(s, fiber)
}

// vacate takes a fiber out of its slot, where its ticket is over.
func (c Config) vacate(s *State, fiber uint8) {
	f := &s.Fibers[fiber]
	x := &s.Slots[f.At]
	s.Schedulers[c.of(f.At)].Live--
	x.Who, f.At = None, None
	if keeps := c.Bug == KeepsTicket && f.Status == Ready; x.Hand == Held && !keeps {
		x.Hand = HeldOld
	}
}

func (c Config) moveOut(s *State, fiber uint8) {
	f := &s.Fibers[fiber]
	from := c.Where(s, fiber)
	if c.Bug != LivesOn {
		if f.Status == Ready {
			s.Schedulers[from].ready.Remove(s.Schedulers[from].ready.Index(fiber))
		}
		c.vacate(s, fiber)
	}
	f.Status = Adrift
	if f.Home == from {
		f.Kept = true
		if c.Bug == CompletesEarly {
			c.complete(s, fiber)
		}
	}
}

func (c Config) moveIn(s *State, fiber, scheduler uint8) {
	f := &s.Fibers[fiber]
	if c.room(s, scheduler) == None {
		f.Status = Gone
		return
	}
	c.settle(s, fiber, scheduler)
	to := &s.Schedulers[scheduler]
	if f.Home == scheduler && c.Bug != ForgetsReturn {
		f.Kept = false
	}
	switch c.Bug {
	case BringsInFront:
		to.ready.Remove(to.ready.Index(fiber))
		to.ready.PushFront(fiber)
	case ComesTwice:
		f.Status = Adrift
	case MissesOne:
		to.Live--
	}
}

// end is that of a fiber, which lives in no slot any more: in a scheduler, or on the way
// (None). Home hears of it.
func (c Config) end(s *State, fiber, scheduler uint8) {
	f := &s.Fibers[fiber]
	f.Status = Over
	if f.Home == scheduler {
		if c.Bug == TellsTwice {
			s.Schedulers[scheduler].inbox.Push(fiber)
		}
		c.complete(s, fiber)
		return
	}
	to := f.Home
	switch onTheWay := scheduler == None; {
	case c.Bug == AbandonsInSilence && onTheWay, c.Bug == EndsInSilence && !onTheWay:
		return
	case c.Bug == TellsItself && !onTheWay:
		to = scheduler
	}
	s.Schedulers[to].inbox.Push(fiber)
}

// complete wakes the fiber that waits for the end of another; then no report of that end is due.
func (c Config) complete(s *State, fiber uint8) {
	s.Fibers[fiber] = notSpawned
	for i := range uint8(c.Fibers) {
		if f := &s.Fibers[i]; f.Status == Joins && f.Goal == fiber {
			f.Goal, f.Told = None, true
			c.enqueue(s, i)
		}
	}
}
