package lua

import (
	"math"
	"runtime"

	"github.com/selvage-dev/selvage/internal/stack"
)

// Carrier is what a Lua program needs of the fiber that carries it. Package stackful's
// fibers are carriers; a program that runs alone can do with two lines (see the example).
// All calls come from the goroutine that runs the program at that moment.
type Carrier interface {
	// Budget is how many VM instructions the fiber may run in a slice. It is asked when
	// the fiber starts, and when it comes back from being put aside.
	Budget() int64
	// Poll is called when the budget is used up. It may put the fiber aside, from
	// whatever Go stack it is called on, and returns when the fiber runs again. An
	// error means that the fiber has been killed or cancelled: the program unwinds.
	Poll() error
}

// Mount makes t the thread that its Lua state executes. Whatever may have put the fiber
// aside is followed by Mount, before any Lua value is touched: meanwhile other fibers
// have used the state. If none has, Mount does nothing, and the slice is not renewed: a
// program that calls Go in a loop uses up its budget like any other.
func (t *Thread) Mount() {
	if t.state.current != t.top {
		t.takeOver()
	}
}

// takeOver starts a slice.
func (t *Thread) takeOver() {
	t.state.makeCurrent(t.top)
	t.state.meter.Left = max(t.carrier.Budget(), 1)
}

// Unwind ends the program that t runs and does not return. Go defers run, from the
// innermost coroutine outwards; Lua code does not. It is runtime.Goexit and not a panic,
// because pcall recovers every panic: nothing a program does can stop it. The fiber's
// own stack is unwound with it.
func (t *Thread) Unwind() { runtime.Goexit() }

// expire is called before the first instruction that a slice has no budget for.
func (s *State) expire() {
	t := s.current.thread
	err := t.carrier.Poll()
	t.takeOver()
	if err != nil {
		t.Unwind()
	}
	s.meter.Left-- // the instruction that waits to be executed
}

// unhurried carries coroutines of code that the host runs on State.Base.
type unhurried struct{}

func (unhurried) Budget() int64 { return math.MaxInt64 }
func (unhurried) Poll() error   { return nil }

// burial carries coroutines that are unwound because nobody can resume them. If a Go
// defer calls Lua then, that ends at its first instruction.
type burial struct{}

func (burial) Budget() int64 { return 1 }
func (burial) Poll() error   { return stack.ErrClosed }
