package lua

import "github.com/selvage-dev/selvage/host/lua/internal/vm"

// WithContextMeter returns c with the context loop, the slower way to count instructions.
func WithContextMeter(c Config) Config {
	c.meter = vm.Context
	return c
}

// Suspended is the number of coroutines that have a stack.
func (s *State) Suspended() int { return s.live.Len() }

// GoFailure is the error value of a Go function that failed with a runtime error.
const GoFailure = goFailure
