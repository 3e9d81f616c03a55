package lua

import "github.com/selvage-dev/selvage/host/lua/internal/vm"

// WithContextMeter is c with the slower way of counting instructions.
func WithContextMeter(c Config) Config {
	c.meter = vm.Context
	return c
}

// Suspended is the number of coroutines that have a stack.
func (s *State) Suspended() (n int) {
	for r := s.live.first(); r != nil; r = r.next {
		n++
	}
	return n
}
