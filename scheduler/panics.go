package scheduler

import (
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/panicstate"
)

// Panics is the panic machine of the executing context, for the host to register and run
// deferred calls with; it is valid until that context ends. It is independent of scheduling:
// no call of it changes a state, and a fiber that blocks in a deferred call comes back to
// the same unwind (I6). Start and recover panics through BeginPanic and Recover, which
// enforce I13.
func (f Unwind) Panics() *panicstate.State {
	c := f.core
	c.enter(op.Panic)
	h, _ := c.executing(op.Panic)
	p := f.panicsOf(h)
	c.leave()
	return p
}

func (f Unwind) panicsOf(h *header) *panicstate.State {
	s := f.core.reg.keepExt(h)
	if s.panics == nil {
		s.panics = new(panicstate.State)
	}
	return s.panics
}

// BeginPanic raises a guest's panic in the executing context. site is the position in the
// guest's program, in the host's own form. If no deferred call recovers it, the fiber ends
// with a *PanicError; a trampoline passes it to its caller on release (I7).
func (f Unwind) BeginPanic(kind panicstate.Kind, value any, site string) {
	c := f.core
	c.enter(op.Panic)
	h, _ := c.executing(op.Panic)
	if h.has(armed | latched) {
		c.refuse(op.Panic)
	}
	p := f.panicsOf(h)
	if kind == panicstate.Fatal {
		c.cur.set(fatal)
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Panic, ID: c.Current(), Answer: kind.String()})
		}
	}
	c.leave() // before Begin: it has rules of its own, and a refusal must not leave this operation open
	p.Begin(kind, value, site)
}

// Recover is the guest's recover, called by the code of a frame (see panicstate).
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
// release, or its end, passes it on.
func (f Unwind) Unrecovered() (panicstate.Panic, bool) {
	c := f.core
	c.enter(op.Panic)
	h, _ := c.executing(op.Panic)
	p, panicked := c.reg.ext(h).outcome()
	c.leave()
	return p, panicked
}

// fatalError is the Fatal panic in force in the executing context. A released trampoline
// passes it to its caller, so the innermost context always has it.
func (f Unwind) fatalError() error {
	h, _ := f.core.executing(op.Panic)
	p, _ := f.core.reg.ext(h).outcome()
	return &PanicError{Value: p.Value, Site: p.Site}
}

// outcome is the panic that ended this context's code, if one did.
func (s *ext) outcome() (panicstate.Panic, bool) {
	if s == nil || s.panics == nil {
		return panicstate.Panic{}, false
	}
	return s.panics.Outcome()
}

// runsCode tells whether guest code runs in the context. It does not while a panic is
// between two deferred calls, nor after the last.
func (s *ext) runsCode() bool {
	if s == nil || s.panics == nil {
		return true
	}
	phase := s.panics.Phase()
	return phase != panicstate.Unwinding && phase != panicstate.Ended
}
