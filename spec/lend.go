package spec

import "slices"

// doLend has a worker run a slice of a fiber. Nothing is armed for it then: a delivery is
// stale, a cancel is pending and a kill stays pending, as with any other fiber that runs.
func (c Config) doLend(s *State, a Action) {
	switch a.Kind {
	case Lend:
		s.Fibers[s.Current].Lent = true
		if c.Bug != KeepsLender {
			s.Current = NoSlot
		}
	case Recall:
		s.Fibers[a.A].Lent = false
		if c.Bug != LosesRecalled {
			s.Current = a.Slot()
		}
	}
}

func (s *State) lendsAny() bool {
	return slices.ContainsFunc(s.Fibers[:], func(f Fiber) bool { return f.Lent })
}
