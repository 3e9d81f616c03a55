package mutex

import "github.com/selvage-dev/selvage/spec/graph"

// Check holds a state against the invariants and returns the first breach it finds.
func (c Config) Check(s *State) graph.Breach {
	for f := range uint8(c.Fibers) {
		if b := s.checkFiber(f); !b.OK() {
			return b
		}
	}
	switch {
	case s.Owner == Nobody && s.waiting > 0:
		return graph.Breaks(9, "f%d waits for a lock that nobody has", s.line[0].Fiber)
	case s.Owner == Nobody && s.Granted != NoNumber:
		return graph.Breaks(11, "the lock was handed over to nobody")
	case s.Owner != Nobody && s.Poisoned:
		return graph.Breaks(12, "f%d owns the poisoned lock", s.Owner)
	}
	return graph.Breach{}
}

// checkFiber: who waits is in the line once (I9), and nobody else is (I10). The owner
// lives (I12), and whoever is told that it owns the lock does (I11).
func (s *State) checkFiber(fiber uint8) graph.Breach {
	f := &s.Fibers[fiber]
	times := 0
	for _, w := range s.Line() {
		if w.Fiber == fiber {
			times++
		}
	}
	waits, owns := f.Status == Waits, s.Owner == fiber
	here := waits && s.place(Waiter{fiber, f.Number}) >= 0
	switch {
	case times > 1 || times == 1 && !here:
		return graph.Breaks(10, "f%d is in the line %d times and does not wait", fiber, times)
	case waits && !here:
		return graph.Breaks(9, "f%d waits and is not in the line", fiber)
	case (waits || f.Status == Woken) != (f.Number != NoNumber), (f.Status == Woken) != (f.Code != Pending):
		return graph.Breaks(10, "f%d is in status %d with %+v", fiber, f.Status, *f)
	case owns && f.Status == Dead:
		return graph.Breaks(12, "f%d is dead and owns the lock", fiber)
	case owns && waits:
		return graph.Breaks(11, "f%d waits for its own lock", fiber)
	case f.Status == Woken && (f.Code == OK) != owns:
		return graph.Breaks(11, "f%d is told that its wait ended with %d, and owns the lock: %v", fiber, f.Code, owns)
	case owns && (f.Status == Woken) != (s.Granted == f.Number && s.Granted != NoNumber),
		owns && f.Status == Ready && s.Granted != NoNumber:
		return graph.Breaks(11, "f%d is in status %d and owns the lock by ticket %d", fiber, f.Status, s.Granted)
	}
	return graph.Breach{}
}

// CheckStep holds one step against what the invariants say about steps.
func (c Config) CheckStep(from *State, a Action, answer Answer, to *State) graph.Breach {
	for f := range uint8(c.Fibers) {
		was, is := &from.Fibers[f], &to.Fibers[f]
		if mine := a.Fiber == f && (a.Kind == Claim || a.Kind == Kill); was.Status == Woken && !mine && *is != *was {
			return graph.Breaks(11, "%v changes how the wait of f%d has ended", a, f)
		}
	}
	switch {
	case answer == AnswerHanded && to.Owner != Nobody && to.Owner != from.line[0].Fiber:
		return graph.Breaks(11, "%v gives the lock to f%d past f%d", a, to.Owner, from.line[0].Fiber)
	case from.Owner != Nobody && to.Owner != from.Owner && from.Owner != a.Fiber:
		return graph.Breaks(11, "%v takes the lock from f%d", a, from.Owner)
	}
	return graph.Breach{}
}
