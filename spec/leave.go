package spec

import "github.com/selvage-dev/selvage/spec/graph"

// ties is true if something is left of what a movable fiber has.
func (f *Fiber) ties() bool { return f.Movable || f.Tied }

// mayLeave: the fiber is ready and nothing ties it to this scheduler. What hears of its end
// stays behind, and is in package move.
func (c Config) mayLeave(s *State, x Slot) bool {
	f := &s.Fibers[x]
	_, holds := s.TokenOf(x)
	return s.Contexts[x].Status == Runnable && (!f.Held || c.Bug == MovesHeld) && f.Movable && f.leaves(c.Bug) && (!holds || c.Bug == MovesUser)
}

// leaves is mayLeave of a movable fiber that is ready and has no operation.
func (f *Fiber) leaves(bug Bug) bool {
	stays := f.Fatal || f.Frames ||
		f.Tied && bug != MovesTied || f.Doomed && bug != MovesDoomed || f.Cancel != NotCancelled && bug != MovesCancelled || f.Depth > 0 && bug != MovesCaller
	return !stays
}

// doMove is what a fiber that may move does, and what is done to it.
func (c Config) doMove(s *State, a Action) {
	switch a.Kind {
	case MoveOut:
		c.moveOut(s, a.Slot())
	case MoveIn:
		c.moveIn(s, a.Slot(), a.B)
	case Tie:
		s.Fibers[s.Current].Tied = true
	case Untie:
		s.Fibers[s.Current].Tied = false
	}
}

// moveOut ends the fiber's life here: its name and its tickets are spent.
func (c Config) moveOut(s *State, f Slot) {
	held := s.Fibers[f].Held
	if c.Bug != QueuesMoved && !held {
		s.dequeue(f)
	}
	chain := s.Fibers[f].Chain
	s.Fibers[f] = Fiber{Chain: chain, Depth: s.Fibers[f].Depth, Held: held}
	if c.Bug == KeepsMoved {
		s.Contexts[f].Status = Dead
		return
	}
	c.clearSlot(s, f)
}

// moveIn is a second birth.
func (c Config) moveIn(s *State, f Slot, masks uint8) {
	c.begin(s, f)
	s.Fibers[f].Movable, s.Fibers[f].Masks = true, masks
	c.enqueue(s, f)
	if c.Bug == BringsInFront {
		s.advance()
	}
}

// stepMove: what ties a fiber to this scheduler is not left behind.
func stepMove(from *State, a Action) Breach {
	if a.Kind != MoveOut {
		return Breach{}
	}
	f := &from.Fibers[a.A]
	_, holds := from.TokenOf(a.Slot())
	switch {
	case f.Doomed || f.Cancel != NotCancelled:
		return graph.Breaks(9, "%v goes on elsewhere and is to unwind", a.Slot())
	case f.Tied || holds:
		return graph.Breaks(12, "%v goes on elsewhere and leaves a lock or an operation behind: %+v", a.Slot(), *f)
	case f.Depth > 0:
		return graph.Breaks(4, "%v goes on elsewhere and leaves its native calls behind", a.Slot())
	}
	return Breach{}
}
