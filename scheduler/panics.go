package scheduler

import (
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/panicstate"
)

// Panics is the panic machine of the executing context, for the host to register and run
// deferred calls with; it is valid until that context ends. It is independent of scheduling:
// no call of it changes a state, and a fiber that blocks in a deferred call comes back to the
// same unwind (I6). Start and recover panics through BeginPanic and Recover, which enforce
// I13. It is allocated when a context first asks for one; a machine that a dead context has
// left is used again.
func (f Unwind) Panics() *panicstate.State {
	c := f.core
	c.enter(op.Panic)
	h, _ := c.executing(op.Panic)
	p := f.panicsOf(h)
	c.leave()
	return p
}

// panicsOf makes the record lasting: the machine is needed until the context ends, over any
// number of waits. Each trampoline has a machine of its own (I7).
func (f Unwind) panicsOf(h *header) *panicstate.State {
	s := f.core.reg.keepExt(h)
	if s.panics == nil {
		s.panics = new(panicstate.State)
	}
	return s.panics
}

// BeginPanic raises a guest's panic in the executing context. site is the position in the
// guest's program, in the host's own form; it is kept as it is, and must be taken now, while
// the frames still stand. If no deferred call recovers it, the fiber ends with a *PanicError;
// a trampoline passes it to its caller on release (I7). It only starts the unwind: the host
// then runs what Panics().NextDefer gives.
//
// While a wait is armed it is a contract error (I13): the ticket would outlive the code that
// armed it. The machine itself refuses by *panicstate.PhaseError (PANIC-PHASE).
func (f Unwind) BeginPanic(kind panicstate.Kind, value any, site string) {
	c := f.core
	c.enter(op.Panic)
	h, _ := c.executing(op.Panic)
	if h.has(armed | latched) {
		c.refuse(op.Panic)
	}
	p := f.panicsOf(h)
	if kind == panicstate.Fatal {
		// The flag is the root's, because that is where the fast paths look: from now on no
		// context of this chain waits, submits or begins a call.
		c.cur.set(fatal)
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Panic, ID: c.Current(), Answer: kind.String()})
		}
	}
	// Before Begin: it has rules of its own, and a refusal must not leave this operation
	// open.
	c.leave()
	p.Begin(kind, value, site)
}

// Recover is the guest's recover, called by the code of a frame (see panicstate). A context
// that has never panicked has nothing to recover and needs no machine for the answer. A Fatal
// panic is not recovered, so the flag of the root never has to be cleared.
func (f Unwind) Recover(frame int) (value any, ok bool) {
	c := f.core
	c.enter(op.Recover)
	h, _ := c.executing(op.Recover)
	if h.has(armed | latched) {
		c.refuse(op.Recover)
	}
	if s := c.reg.ext(h); s != nil && s.panics != nil {
		value, ok = s.panics.Recover(frame)
	}
	c.leave()
	return value, ok
}

// Unrecovered is the panic that ended the code of the executing context, if one did: its
// release, or its end, passes it on. False while deferred calls are still to be run.
func (f Unwind) Unrecovered() (panicstate.Panic, bool) {
	c := f.core
	c.enter(op.Panic)
	h, _ := c.executing(op.Panic)
	p, panicked := c.reg.ext(h).outcome()
	c.leave()
	return p, panicked
}

// Handed is the error of the panic that a native call has handed over to the executing context
// (I7), while the native code that made the call runs: until it begins a panic itself, which
// passes this one on, or asks for the next deferred call. Otherwise it is nil.
func (f Unwind) Handed() error {
	c, h := f.core, f.core.cur
	if h.has(chained) {
		h = &c.tramps.all[c.reg.ext(h).top-1].header
	}
	if s := c.reg.ext(h); s != nil && s.panics != nil {
		if p, handed := s.panics.Handed(); handed {
			return c.reg.ext(c.cur).panicError(p)
		}
	}
	return nil
}

// fatalError is the Fatal panic in force in the executing context. A released trampoline
// passes it to its caller, so the innermost context always has it. The error is new at each
// call; its Value and Site are the same.
func (f Unwind) fatalError() error {
	h, _ := f.core.executing(op.Panic)
	p, _ := f.core.reg.ext(h).outcome()
	return &PanicError{Value: p.Value, Site: p.Site}
}

// panicError is what code ends with that a panic has ended: the cause of the fiber's cancellation if
// that is what it unwound for, so that a join of it answers as one of a fiber that returned its cause.
func (s *ext) panicError(p panicstate.Panic) error {
	if s.unwoundForCancel(p) {
		return s.cause
	}
	return &PanicError{Value: p.Value, Site: p.Site}
}

// unwoundForCancel tells whether the panic is the one that Stop begins.
func (s *ext) unwoundForCancel(p panicstate.Panic) bool {
	return p.Kind == panicstate.Exit && s != nil && s.cause != nil && p.Value == any(s.cause)
}

// outcome is the panic that ended this context's code, if one did; a nil record has none.
func (s *ext) outcome() (panicstate.Panic, bool) {
	if s == nil || s.panics == nil {
		return panicstate.Panic{}, false
	}
	return s.panics.Outcome()
}

// runsCode tells whether guest code runs in the context. It does not while a panic is between
// two deferred calls, nor after the last: then there is no code that could make a native
// call.
func (s *ext) runsCode() bool {
	if s == nil || s.panics == nil {
		return true
	}
	phase := s.panics.Phase()
	return phase != panicstate.Unwinding && phase != panicstate.Ended
}
