package panicstate

import "slices"

// Defer registers a call of a frame. Its generation is that of the running deferred
// call it is registered by, if any, else the present one: a call registered while a
// panic is unwound cannot recover that panic, unless its parent could.
func (s *State) Defer(frame int, call any) {
	generation := s.generation
	switch s.Phase() {
	case UnwindingFatal:
		return
	case Ended:
		s.refuse("Defer", "nothing runs any more; end the fiber")
	case InDefer, Returned:
		generation = s.running[len(s.running)-1].generation
	}
	s.pending = append(s.pending, pending{})
	i := len(s.pending) - 1
	for ; i > 0 && s.pending[i-1].Frame > frame; i-- {
		s.pending[i] = s.pending[i-1]
	}
	s.pending[i] = pending{Deferred{frame, call}, generation}
}

// NextDefer takes the next deferred call to run in an unwind: the host drops its
// frames above d.Frame and runs the call as frame d.Frame+1. Where the panic was raised
// in a deferred call and not recovered there, that call is left behind and the panic
// replaces the one that ran it, unless that is stronger. False means that no call is
// left: the fiber ends with Outcome.
func (s *State) NextDefer() (d Deferred, ok bool) {
	switch s.Phase() {
	case UnwindingFatal, Ended:
		return Deferred{}, false
	case Unwinding:
	default:
		s.refuse("NextDefer", "no panic is to be unwound; a frame that returns asks Return")
	}
	s.handed = false
	for {
		if n := len(s.pending); n > 0 && s.inside(s.pending[n-1].Frame) {
			return s.start(true), true
		}
		if len(s.running) == 0 {
			s.over = true
			return Deferred{}, false
		}
		s.leave()
	}
}

// leave takes the panics of the innermost running call out of it, all together: a
// panic raised there while it was exiting stays on top of the exit. Around it they
// replace what is not stronger.
func (s *State) leave() {
	inner := len(s.running)
	s.running = s.running[:inner-1]
	first := len(s.unwinds)
	for ; first > 0 && s.unwinds[first-1].level == inner; first-- {
		s.unwinds[first-1].level--
	}
	from := first
	for from > 0 && s.unwinds[from-1].level == inner-1 && s.unwinds[from-1].Kind <= s.unwinds[first].Kind {
		from--
	}
	s.unwinds = slices.Delete(s.unwinds, from, first)
}

// cut keeps the first n panics.
func (s *State) cut(n int) {
	clear(s.unwinds[n:])
	s.unwinds = s.unwinds[:n]
}

// start moves the last pending call to the running ones.
func (s *State) start(unwound bool) Deferred {
	last := len(s.pending) - 1
	p := s.pending[last]
	s.pending[last] = pending{}
	s.pending = s.pending[:last]
	s.running = append(s.running, running{p.Frame, p.generation, unwound})
	return p.Deferred
}

// Return takes the next deferred call of a frame that returns without a panic; false
// when it has none left. The host calls it again after each EndDefer.
func (s *State) Return(frame int) (d Deferred, ok bool) {
	switch s.Phase() {
	case UnwindingFatal:
		return Deferred{}, false
	case Unwinding, Ended:
		s.refuse("Return", "frames do not return while a panic is unwound; call NextDefer")
	}
	if !s.inside(frame) {
		s.refuse("Return", "a deferred call of this frame is still running; call EndDefer first")
	}
	last := len(s.pending) - 1
	if last < 0 || s.pending[last].Frame < frame {
		return Deferred{}, false
	}
	if s.pending[last].Frame > frame {
		s.refuse("Return", "a deeper frame has deferred calls left; return from it first")
	}
	return s.start(false), true
}

// EndDefer notes that the innermost deferred call has returned, and reports how the
// frame that registered it goes on.
func (s *State) EndDefer() (step Step, frame int) {
	switch s.Phase() {
	case UnwindingFatal:
		return Stop, 0
	case Idle, Unwinding, Ended:
		s.refuse("EndDefer", "no deferred call is running that could return")
	}
	if n := len(s.pending); n > 0 && s.inside(s.pending[n-1].Frame) {
		s.refuse("EndDefer", "the deferred call has deferred calls of its own left; ask Return for its frame")
	}
	last := len(s.running) - 1
	r := s.running[last]
	s.running = s.running[:last]
	switch {
	case !r.unwound:
		return Returning, r.frame
	case s.pop():
		return Continue, r.frame
	}
	return Recovered, r.frame
}

// pop ends the last panic if it was recovered, and reports whether one is still to be
// unwound at this level: itself, or a stronger one it was raised in.
func (s *State) pop() bool {
	if last := len(s.unwinds) - 1; s.unwinds[last].recovered {
		s.cut(last)
	}
	top := s.top()
	return top != nil && top.level == len(s.running)
}
