package spec

import (
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// canPick: no fiber is current, and the fiber is in the ready queue and not to be reaped.
func (c Config) canPick(s *State, f Slot) bool {
	return s.Current == NoSlot && slices.Contains(s.Queue(), f) && !s.Reapable(f)
}

// pick is next for the fiber that was chosen.
func (c Config) pick(s *State, f Slot) {
	c.reapHeads(s)
	if c.Bug == PicksHead {
		f = s.Ready[0]
	}
	if c.Bug != KeepsPicked {
		s.dequeue(f)
	}
	s.Contexts[f].Status = Running
	s.Current = f
}

// stepPick: the fiber that was chosen is current.
func stepPick(a Action, to *State) Breach {
	if a.Kind == Pick && to.Current != a.Slot() {
		return graph.Breaks(9, "%v leads to current %v", a, to.Current)
	}
	return Breach{}
}
