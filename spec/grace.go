package spec

import "github.com/selvage-dev/selvage/spec/graph"

// GraceIsNext is true if the end of a grace period is the next that time brings: it
// comes after deadline 0 and before the others.
func (s *State) GraceIsNext() bool {
	return s.Grace != NoSlot && s.Deadlines[0] == off
}

// endGrace kills the fiber that has not unwound in its grace period.
func (c Config) endGrace(s *State) {
	f := s.Grace
	s.Grace = NoSlot
	if c.Bug != EndlessGrace {
		c.kill(s, f)
	}
	c.reapHeads(s)
}

// checkGrace: a grace period is that of a living fiber that was cancelled.
func (c Config) checkGrace(s *State) Breach {
	if f := s.Grace; f != NoSlot && (s.Contexts[f].Status == Dead || s.Fibers[f].Cancel == NotCancelled) {
		return graph.Breaks(10, "%v has a grace period and is %v", f, s.Contexts[f].Status)
	}
	return Breach{}
}

// stepGrace: whose grace period has ended ends too.
func stepGrace(f Slot, to *State) Breach {
	if to.Contexts[f].Status != Dead && !to.Fibers[f].Doomed {
		return graph.Breaks(9, "%v goes on after its grace period", f)
	}
	return Breach{}
}
