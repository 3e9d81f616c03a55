package lua

import (
	"math"
	"runtime"

	"github.com/selvage-dev/selvage/internal/stack"
)

// Carrier is the fiber that executes a Lua program. host/lua/fibers implements it with the fibers
// of package stackful; a program that is never preempted returns math.MaxInt64 from Budget and nil
// from Poll. The State makes all calls, on the Go stack that executes the program at that moment:
// that of the fiber, or that of a Lua coroutine which the fiber has resumed.
type Carrier interface {
	// Budget is the time slice: how many VM instructions the fiber may execute before Poll; a
	// number below 1 counts as 1. It is called when the program starts, after each Poll, and by
	// Thread.Mount if another thread has executed since.
	Budget() int64
	// Poll is called before the first instruction beyond the budget. It may suspend the Go stack
	// that it is called on, and returns when the fiber runs again. An error means that the fiber
	// was killed or cancelled: the program unwinds (Thread.Unwind).
	Poll() error
}

// Mount makes t the thread that its Lua state executes. A Go function calls it after each
// operation that may have suspended the fiber, before it uses a Lua value, because other fibers
// may have used the state meanwhile. If none has, Mount does nothing and the time slice
// continues, so that a program which calls Go in a loop is preempted too.
func (t *Thread) Mount() {
	if t.state.current != t.top {
		t.takeOver()
	}
}

// takeOver starts a time slice. If the live memory is to be measured, the slice is empty: the Go
// function that executes returns first, so that the program can reach all its values.
func (t *Thread) takeOver() {
	s := t.state
	s.memory.settle()
	s.makeCurrent(t.top)
	s.grant()
	if s.memory.due() {
		s.granted, s.meter.Left, s.empty = 0, 0, true
	}
}

// grant gives the current thread a time slice.
func (s *State) grant() {
	s.granted = max(s.current.thread.carrier.Budget(), 1)
	s.meter.Left, s.empty = s.granted, false
}

// Unwind ends the program that t executes, and does not return. It runs the Go defers, from the
// innermost coroutine outwards, and no Lua code. It is runtime.Goexit rather than a panic,
// because pcall recovers every panic and a program must not stop its own end. The stack of the
// fiber is unwound too.
func (t *Thread) Unwind() { runtime.Goexit() }

// expire ends the time slice. It is called before the first instruction beyond the budget.
func (s *State) expire() {
	if !s.empty {
		s.poll()
	}
	if s.memory.due() {
		s.memory.makeRoom(0)
	}
	s.meter.Charge(1) // the instruction that is executed next
}

// poll ends the time slice, and begins the next.
func (s *State) poll() {
	t := s.current.thread
	err := t.carrier.Poll()
	t.takeOver()
	if err != nil {
		t.Unwind()
	}
}

// unlimited carries the code that the host runs on State.Base: it is never preempted.
type unlimited struct{}

func (unlimited) Budget() int64 { return math.MaxInt64 }
func (unlimited) Poll() error   { return nil }

// unwinding carries coroutines that are unwound because they cannot be resumed any more. If a Go
// defer calls Lua then, the call ends at its first instruction.
type unwinding struct{}

func (unwinding) Budget() int64 { return 1 }
func (unwinding) Poll() error   { return stack.ErrClosed }
