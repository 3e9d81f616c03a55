package panicstate

import "fmt"

// check states the invariants listed on State.
func check(s *State) error {
	for i := 1; i < len(s.pending); i++ {
		if s.pending[i-1].Frame > s.pending[i].Frame {
			return fmt.Errorf("pending is not sorted at %d", i)
		}
	}
	for i := 1; i < len(s.running); i++ {
		if s.running[i-1].frame >= s.running[i].frame {
			return fmt.Errorf("running frames do not grow at %d", i)
		}
	}
	if err := checkUnwinds(s); err != nil {
		return err
	}
	for i, r := range s.running {
		owners := 0
		for _, u := range s.unwinds {
			if u.level == i {
				owners++
			}
		}
		if r.unwound != (owners > 0) {
			return fmt.Errorf("running call %d: unwound %v with %d panics of its level", i, r.unwound, owners)
		}
	}
	if s.over && (len(s.pending)+len(s.running) > 0 || len(s.unwinds) == 0) {
		return fmt.Errorf("over with %d pending, %d running, %d panics", len(s.pending), len(s.running), len(s.unwinds))
	}
	return nil
}

func checkUnwinds(s *State) error {
	for i, u := range s.unwinds {
		if u.level > len(s.running) || u.Generation > s.generation || u.Kind == Fatal && (len(s.unwinds) > 1 || !s.over) {
			return fmt.Errorf("panic %d of %v at level %d of %d", i, u.Kind, u.level, len(s.running))
		}
		if i == 0 {
			continue
		}
		below := s.unwinds[i-1]
		if below.level > u.level || below.Generation >= u.Generation || below.level == u.level && below.Kind <= u.Kind {
			return fmt.Errorf("panic %d (%v, level %d) stands on one of %v, level %d", i, u.Kind, u.level, below.Kind, below.level)
		}
	}
	return nil
}
