package mutex

import (
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// Check holds a state against the invariants and returns the first breach it finds.
func (c Config) Check(s *State) graph.Breach {
	switch b := graph.Each(uint8(c.Fibers), s.checkFiber); {
	case !b.OK():
		return b
	case s.Owner == NoFiber && s.Line.Len() > 0:
		return graph.Breaks(9, "f%d waits for a lock that nobody has", s.Line.All()[0].Fiber)
	case s.Owner == NoFiber && s.Granted != NoNumber:
		return graph.Breaks(11, "the lock was handed over to nobody")
	case s.Poisoned && s.Sleepers.Len() > 0:
		return graph.Breaks(12, "f%d waits for a signal at a poisoned lock", s.Sleepers.All()[0].Fiber)
	case s.Owner != NoFiber && s.Poisoned:
		return graph.Breaks(12, "f%d owns the poisoned lock", s.Owner)
	}
	return graph.Breach{}
}

// checkFiber: a fiber that waits is in the line or the sleepers once (I9), and no other fiber is (I10). The owner
// lives (I12), and a fiber that is told that it owns the lock does (I11).
func (s *State) checkFiber(fiber uint8) graph.Breach {
	f := &s.Fibers[fiber]
	times := 0
	for _, w := range slices.Concat(s.Line.All(), s.Sleepers.All()) {
		times += graph.Count(w.Fiber == fiber)
	}
	waits, owns := f.Status == Waits, s.Owner == fiber
	sleeps := s.Sleepers.Index(Waiter{fiber, f.Number}) >= 0
	here := waits && (s.Line.Index(Waiter{fiber, f.Number}) >= 0 || sleeps)
	switch {
	case times > 1 || times == 1 && !here:
		return graph.Breaks(10, "f%d is in the line %d times and does not wait", fiber, times)
	case waits && !here:
		return graph.Breaks(9, "f%d waits and is not in the line", fiber)
	case (waits || f.Status == Woken) != (f.Number != NoNumber), (f.Status == Woken) != (f.Code != Pending):
		return graph.Breaks(10, "f%d is in status %d with %+v", fiber, f.Status, *f)
	case f.Chosen && (sleeps || !waits && f.Code != OK):
		return graph.Breaks(10, "f%d was signaled, sleeps: %v, has %+v", fiber, sleeps, *f)
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
	case answer == AnswerHanded && to.Owner != NoFiber && to.Owner != from.heir().Fiber:
		return graph.Breaks(11, "%v gives the lock to f%d past f%d", a, to.Owner, from.heir().Fiber)
	case from.Owner != NoFiber && to.Owner != from.Owner && (from.Owner != a.Fiber || !a.Kind.ofFiber()):
		return graph.Breaks(11, "%v takes the lock from f%d", a, from.Owner)
	}
	return stepSignal(from, a, to)
}

// heir is the fiber that gets the lock next.
func (s *State) heir() Waiter {
	if s.Line.Len() > 0 {
		return s.Line.All()[0]
	}
	return s.Sleepers.All()[0]
}

// stepSignal: a signal is for the fiber that has waited longest, and stands behind those who wait
// for the lock; it is not lost with the one it chose (I9), a broadcast is for all.
func stepSignal(from *State, a Action, to *State) graph.Breach {
	old, now := from.Sleepers.All(), to.Sleepers.All()
	switch a.Kind {
	case Broadcast:
		if len(now) > 0 {
			return graph.Breaks(9, "%v leaves %v asleep", a, now)
		}
	case Signal:
		if len(old) > 0 && !slices.Equal(now, old[1:]) {
			return graph.Breaks(11, "%v leaves of %v asleep %v", a, old, now)
		}
	case GiveUp, Kill:
		if lost := from.Fibers[a.Fiber].Chosen; lost && len(old) > 0 && len(now) >= len(old) {
			return graph.Breaks(9, "%v takes its signal along, asleep are %v", a, now)
		}
		return graph.Breach{}
	default:
		return graph.Breach{}
	}
	if line := from.Line.All(); from.Owner != NoFiber && !slices.Equal(to.Line.All()[:min(len(line), len(to.Line.All()))], line) {
		return graph.Breaks(11, "%v changes the line from %v to %v", a, line, to.Line.All())
	}
	return graph.Breach{}
}
