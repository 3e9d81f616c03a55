package spec

// clearOutside: x's wait has ended.
func (c Config) clearOutside(s *State, x Slot) {
	if c.Bug != KeepsOutside {
		s.Contexts[x].Outside = false
	}
}

// awaitsOutside is true if any wait ends from outside of the scheduler.
func (s *State) awaitsOutside() bool {
	for x := range s.Contexts {
		if s.Contexts[x].Outside {
			return true
		}
	}
	return false
}
