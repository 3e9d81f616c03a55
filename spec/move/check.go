package move

import "github.com/selvage-dev/selvage/spec/graph"

// Check holds a state against the invariants and returns the first breach it finds.
func (c Config) Check(s *State) graph.Breach {
	for f := range uint8(c.Fibers) {
		for _, check := range [...]func(*State, uint8) graph.Breach{c.checkPlace, c.checkNews, c.checkQueues, c.checkJoin} {
			if b := check(s, f); !b.OK() {
				return b
			}
		}
	}
	var live [Schedulers]uint8
	for x := range uint8(Schedulers * c.Slots) {
		if b := c.checkSlot(s, x); !b.OK() {
			return b
		}
		if s.Slots[x].Who != None {
			live[c.of(x)]++
		}
	}
	for g := range s.Schedulers {
		if n := s.Schedulers[g].Live; n != live[g] {
			return graph.Breaks(12, "scheduler %d has counted %d, and %d live there", g, n, live[g])
		}
	}
	return graph.Breach{}
}

// checkPlace: a fiber lives in one slot of one scheduler, or in none.
func (c Config) checkPlace(s *State, fiber uint8) graph.Breach {
	f, times := &s.Fibers[fiber], 0
	for x := range Schedulers * c.Slots {
		times += graph.Count(s.Slots[x].Who == fiber)
	}
	if (times == 1) != f.lives() || times > 1 || (f.At != None) != f.lives() {
		return graph.Breaks(12, "f%d lives in %d slots: %+v", fiber, times, *f)
	}
	return graph.Breach{}
}

// checkNews: home keeps the cell of a fiber that is elsewhere, and is notified of its end once.
func (c Config) checkNews(s *State, fiber uint8) graph.Breach {
	f := &s.Fibers[fiber]
	if (f.Home != None) != (f.Status != Gone) {
		return graph.Breaks(12, "f%d is at home in %d: %+v", fiber, f.Home, *f)
	}
	if away := f.Status != Gone && c.Where(s, fiber) != f.Home; f.Kept != away {
		return graph.Breaks(12, "f%d is away: %v, and kept at home: %v", fiber, away, f.Kept)
	}
	for g := range uint8(Schedulers) {
		want := graph.Count(f.Status == Over && f.Home == g)
		if n := times(s.Schedulers[g].Inbox(), fiber); n != want {
			return graph.Breaks(12, "scheduler %d is told %d times of f%d, which is %+v", g, n, fiber, *f)
		}
	}
	return graph.Breach{}
}

// checkQueues: the ready queue holds exactly those who are ready there, once.
func (c Config) checkQueues(s *State, fiber uint8) graph.Breach {
	f := &s.Fibers[fiber]
	for g := range uint8(Schedulers) {
		at, here := &s.Schedulers[g], c.Where(s, fiber) == g
		queued := times(at.Ready(), fiber)
		if queued > 1 || (queued == 1) != (here && f.Status == Ready) {
			return graph.Breaks(1, "f%d is %d times in the ready queue of %d: %+v", fiber, queued, g, *f)
		}
		if (at.Current == fiber) != (here && f.Status == Runs) {
			return graph.Breaks(2, "the current fiber of %d is %d, and f%d is %+v", g, at.Current, fiber, *f)
		}
	}
	return graph.Breach{}
}

// checkJoin: only who joins is registered with a cell; that is one of its own scheduler, and
// is yet to complete.
func (c Config) checkJoin(s *State, fiber uint8) graph.Breach {
	f := &s.Fibers[fiber]
	if (f.Goal != None) != (f.Status == Joins) {
		return graph.Breaks(10, "f%d is registered with the cell of %d: %+v", fiber, f.Goal, *f)
	}
	if f.Told && f.Status != Ready {
		return graph.Breaks(10, "f%d has not taken what the cell has for it: %+v", fiber, *f)
	}
	if f.Goal == None {
		return graph.Breach{}
	}
	if goal := &s.Fibers[f.Goal]; goal.Status == Gone || goal.Home != c.Where(s, fiber) {
		return graph.Breaks(9, "f%d waits for the end of f%d, of which nobody will tell it", fiber, f.Goal)
	}
	return graph.Breach{}
}

// checkSlot: a ticket that is accepted as one of the fiber in the slot was armed by it, and the
// ticket of a fiber that waits is held.
func (c Config) checkSlot(s *State, slot uint8) graph.Breach {
	x := s.Slots[slot]
	switch {
	case x.Who == None && x.Hand == Held:
		return graph.Breaks(5, "the ticket of slot %d passes for one of whoever lives there next", slot)
	case x.Who != None && s.Fibers[x.Who].At != slot:
		return graph.Breaks(12, "f%d lives in slots %d and %d", x.Who, slot, s.Fibers[x.Who].At)
	case x.Who != None && s.Fibers[x.Who].Status == Waits && x.Hand != Held:
		return graph.Breaks(9, "f%d waits, and nobody has its ticket", x.Who)
	}
	return graph.Breach{}
}

func times(list []uint8, fiber uint8) int {
	n := 0
	for _, f := range list {
		n += graph.Count(f == fiber)
	}
	return n
}

// CheckStep holds one step against what the invariants say about steps.
func (c Config) CheckStep(from *State, a Action, answer Answer, to *State) graph.Breach {
	switch a.Kind {
	case Stray:
		if *from != *to {
			return graph.Breaks(5, "%v wakes somebody it was not meant for", a)
		}
	case Idle:
		if answer == AnswerDeadlock && c.canProgress(from, a.At) {
			return graph.Breaks(9, "%v: a deadlock, and somebody waits for a fiber elsewhere", a)
		}
	}
	return c.stepEnd(from, a, to)
}

// canProgress: a fiber in the scheduler waits for a fiber that is elsewhere.
func (c Config) canProgress(s *State, scheduler uint8) bool {
	for f := range uint8(c.Fibers) {
		goal := s.Fibers[f].Goal
		if goal != None && c.Where(s, f) == scheduler && c.Where(s, goal) != scheduler {
			return true
		}
	}
	return false
}

// stepEnd: a join cell completes when its fiber has ended at home, or when home hears of its
// end elsewhere; and no fiber that joins goes on before.
func (c Config) stepEnd(from *State, a Action, to *State) graph.Breach {
	for f := range uint8(c.Fibers) {
		was, is := &from.Fibers[f], &to.Fibers[f]
		if was.Status == Gone || is.Status != Gone {
			continue
		}
		ended := a.Kind == Exit && from.Schedulers[a.At].Current == f || a.Kind == Kill && a.Fiber == f
		if ended && c.Where(from, f) == was.Home || a.Kind == Next && was.Status == Over && a.At == was.Home {
			continue
		}
		return graph.Breaks(12, "%v completes the join cell of f%d, which was %+v", a, f, *was)
	}
	return graph.Breach{}
}
