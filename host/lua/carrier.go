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
	// Budget is the time slice: how many VM instructions the fiber may execute before Poll. It is
	// called when the program starts, after each Poll, and by Thread.Mount if another thread has
	// executed since. If it is below 1, Poll is called before the next instruction, and again until
	// it is not.
	Budget() int64
	// Used is called with the instructions, and the work of native code in the same unit, that the
	// fiber has executed since the last call: before Poll, when another thread executes next, when
	// the program ends, and by State.Settle. It must not suspend the Go stack.
	Used(steps int64)
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
	s.profiler.settle()
	s.BeginSlice()
	s.Settle()
	s.makeCurrent(t.top)
	s.grant()
	if s.memory.due() {
		s.granted, s.meter.Left, s.empty = 0, 0, true
	}
}

func (s *State) grantIfEmpty() {
	if s.empty {
		s.grant()
	}
}

// grant gives the current thread a time slice.
func (s *State) grant() {
	s.payer = s.current.thread.carrier
	s.granted = max(s.payer.Budget(), 0)
	s.meter.Left, s.empty = s.granted, false
}

// Settle calls Used of the fiber whose time slice it is, or was last, if it has used some of it.
func (s *State) Settle() {
	used := s.granted - s.meter.Left
	s.granted = s.meter.Left
	s.memory.settle(used)
	if used > 0 && s.payer != nil {
		s.payer.Used(used)
	}
}

// Unsettled is how many steps the carrier has executed that Used has not been called with yet.
func (s *State) Unsettled(c Carrier) int64 {
	if s.payer != c {
		return 0
	}
	return max(s.granted-s.meter.Left, 0)
}

// Unwind ends the program that t executes, and does not return. It runs the Go defers, from the
// innermost coroutine outwards, and no Lua code. It is runtime.Goexit rather than a panic,
// because pcall recovers every panic and a program must not stop its own end. The stack of the
// fiber is unwound too.
func (t *Thread) Unwind() { runtime.Goexit() }

// expire ends the time slice. It is called before the first instruction beyond the budget, which is
// counted already.
func (s *State) expire() {
	for s.meter.Left++; s.meter.Left <= 0; {
		if !s.empty {
			s.poll()
		}
		switch {
		case s.memory.due():
			s.memory.makeRoom(0)
		case s.empty:
			s.grant()
		}
	}
	s.meter.Left-- // the instruction that is executed next
}

// poll ends the time slice, and begins the next.
func (s *State) poll() {
	t := s.current.thread
	s.Settle()
	s.profiler.pause()
	err := t.carrier.Poll()
	t.takeOver()
	if err != nil {
		t.Unwind()
	}
}

// unlimited carries the code that the host runs on State.Base: it is never preempted.
type unlimited struct{}

func (unlimited) Budget() int64 { return math.MaxInt64 }
func (unlimited) Used(int64)    {}
func (unlimited) Poll() error   { return nil }

// unwinding carries coroutines that are unwound because they cannot be resumed any more. If a Go
// defer calls Lua then, the call ends at its first instruction.
type unwinding struct{}

func (unwinding) Budget() int64 { return 1 }
func (unwinding) Used(int64)    {}
func (unwinding) Poll() error   { return stack.ErrClosed }
