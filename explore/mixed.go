package explore

import "github.com/selvage-dev/selvage/scheduler"

// mixed takes turns between strategies.
type mixed struct {
	parts   []Strategy
	next    int
	current Strategy
}

// Mixed is a strategy that takes turns between Depth(1), Random, and PCT of depths 2 and 3. Different bugs
// are found early by different ones. When Depth has run all it covers, the others go on.
func Mixed(seed uint64) Strategy {
	return &mixed{parts: []Strategy{Depth(1), Random(seed), PCT(seed, 2), PCT(seed, 3)}}
}

func (s *mixed) Begin() bool {
	for len(s.parts) > 0 {
		s.next %= len(s.parts)
		if s.current = s.parts[s.next]; s.current.Begin() {
			s.next++
			return true
		}
		s.parts = append(s.parts[:s.next], s.parts[s.next+1:]...)
	}
	return false
}

func (s *mixed) Choose(c scheduler.Choice) int { return s.current.Choose(c) }

func (s *mixed) Complete() string { return "" }
