package stack

import "github.com/selvage-dev/selvage/internal/invariants"

// state of a Stack; the table is in the package comment.
type state uint8

const (
	fresh state = iota
	running
	suspended
	finished
)

// Stack is one function's call stack. Its owner resumes and closes it; the function
// suspends it. None of that may happen on two goroutines at once.
type Stack struct {
	fn     func(*Stack)
	worker *worker // nil while fresh and when finished
	pool   *Pool
	err    error
	state  state
	order  order
	done   bool // fn returned, as opposed to being unwound

	goroutine uintptr // that suspended it, which a nested stack may be; in the checked build
}

// order is what a suspended stack does when control comes to it.
type order uint8

const (
	goOn order = iota
	answer
	unwind
)

// New makes a Stack that will run fn at its first Resume on a goroutine of its own.
// Until then it is nothing but memory.
func New(b Backing, fn func(*Stack)) *Stack {
	return (&Pool{backing: b}).New(fn)
}

// Resume runs the function until it suspends or ends, and reports whether it ended.
// It panics if the Stack is running or finished: the owner lost track of it.
func (s *Stack) Resume() (ended bool) {
	if s.state != suspended {
		if s.state != fresh {
			panic("stack: Resume of a stack that is " + s.state.String() + ": rule CALL-ORDER (docs/invariants.md#call-order)")
		}
		s.worker = s.pool.take()
		s.worker.job = s
	}
	s.state = running
	w := s.worker
	if invariants.On {
		resumer := s.pool.thread.Switch(s.goroutine)
		w.enter()
		s.goroutine = s.pool.thread.Switch(resumer)
	} else {
		w.enter()
	}
	if s.state != finished {
		return false
	}
	s.worker = nil
	if w.unwound {
		w.finish()
	}
	return true
}

// Suspend gives control back to the resumer of s and returns when s is resumed
// again. It is called by the function of s or by code running inside it, nested
// stacks included. If the owner closes s instead, it does not return: the stack
// unwinds as with runtime.Goexit, and any Suspend in a deferred call does the same.
func (s *Stack) Suspend() {
	if s.state != running {
		panic("stack: Suspend of a stack that is " + s.state.String() + ": rule CALL-ORDER (docs/invariants.md#call-order)")
	}
	if s.order != unwind {
		s.state = suspended
		s.worker.leave(struct{}{})
	}
	if s.order != goOn {
		s.obey()
	}
}

// obey is what comes after a Suspend that does not simply return.
func (s *Stack) obey() {
	for s.order == answer {
		s.order = goOn
		s.pool.question()
		s.state = suspended
		s.worker.leave(struct{}{})
	}
	if s.order == unwind {
		exit()
	}
}

// Ask calls a function on the stack, where it is suspended, and reports whether it is: what
// the function sees is the stack's call stack. It stays suspended.
func (s *Stack) Ask(question func()) bool {
	if s.state != suspended {
		return false
	}
	s.pool.question, s.order = question, answer
	s.Resume()
	s.pool.question = nil
	return true
}

// Close ends s: a suspended stack unwinds now, running its Go defers. What they do is
// theirs, but they cannot suspend any more, so Close takes one switch. The stack must
// not be running. A finished stack stays what it is.
func (s *Stack) Close() {
	switch s.state {
	case running:
		panic("stack: Close of a stack that is running: rule CALL-ORDER (docs/invariants.md#call-order)")
	case fresh:
		s.state, s.err = finished, ErrClosed
	case suspended:
		s.order = unwind
		s.Resume()
	}
}

// Closing reports to deferred code whether s is being closed.
func (s *Stack) Closing() bool { return s.order == unwind }

// Finished reports whether the function has ended.
func (s *Stack) Finished() bool { return s.state == finished }

// Err says how a finished stack ended: nil if its function returned, *PanicError,
// *GoexitError, or ErrClosed.
func (s *Stack) Err() error { return s.err }

// String is the state's name.
func (st state) String() string {
	return [...]string{"fresh", "running", "suspended", "finished"}[st]
}
