package spec

import (
	"slices"

	"github.com/selvage-dev/selvage/spec/graph"
)

// clearOutside: x's wait has ended.
func (c Config) clearOutside(s *State, x Slot) {
	if c.Bug != KeepsOutside {
		s.Contexts[x].Outside = false
	}
}

// awaitsOutside is true if any wait ends from outside of the scheduler.
func (s *State) awaitsOutside() bool {
	return slices.ContainsFunc(s.Contexts[:], func(x Context) bool { return x.Outside })
}

// stepPromise: a promise counts until it is taken back.
func stepPromise(a Action, to *State) Breach {
	if given := a.Kind == Promise; (given || a.Kind == TakeBack) && to.Promised != given {
		return graph.Breaks(9, "%v, and something is promised: %v", a, to.Promised)
	}
	return Breach{}
}
