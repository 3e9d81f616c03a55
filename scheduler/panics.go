package scheduler

import (
	"github.com/selvage-dev/selvage/panicstate"
)

// Panics is the panic machine of the executing context, for the host to register and
// run deferred calls with. It is good until that context ends. It is orthogonal to scheduling: nothing done with it changes
// a state, and a fiber that blocks in a deferred call comes back to the same unwind
// (I6). Start and recover panics through BeginPanic and Recover, which know I13.
func (c *Core) Panics() *panicstate.State {
	c.enter(OpPanic)
	h, _ := c.executing(OpPanic)
	p := c.panicsOf(h)
	c.leave()
	return p
}

func (c *Core) panicsOf(h *header) *panicstate.State {
	s := c.keepSide(h)
	if s.panics == nil {
		s.panics = new(panicstate.State)
	}
	return s.panics
}

// BeginPanic raises a guest's panic in the executing context. site is where, in the
// host's own form. If no deferred call recovers it, the fiber ends with a *PanicError;
// a trampoline hands it to its caller when it is released (I7).
func (c *Core) BeginPanic(kind panicstate.Kind, value any, site string) {
	c.enter(OpPanic)
	h, _ := c.executing(OpPanic)
	if h.has(armed | latched) {
		c.refuse(OpPanic)
	}
	p := c.panicsOf(h)
	if kind == panicstate.Fatal {
		c.cur.set(fatal)
		if c.watch != nil {
			c.report(Transition{Op: OpPanic, ID: c.Current(), Answer: kind.String()})
		}
	}
	c.leave() // Begin knows rules of its own; a refusal of it is not to leave this operation open
	p.Begin(kind, value, site)
}

// Recover is the guest's recover, called by the code of a frame (see panicstate).
func (c *Core) Recover(frame int) (value any, ok bool) {
	c.enter(OpRecover)
	h, _ := c.executing(OpRecover)
	if h.has(armed | latched) {
		c.refuse(OpRecover)
	}
	if s := c.sideOf(h); s != nil && s.panics != nil {
		value, ok = s.panics.Recover(frame)
	}
	c.leave()
	return value, ok
}

// Unrecovered is the panic that ended the code of the executing context, if one did:
// what its release, or its end, hands on.
func (c *Core) Unrecovered() (panicstate.Panic, bool) {
	c.enter(OpPanic)
	h, _ := c.executing(OpPanic)
	p, panicked := c.sideOf(h).outcome()
	c.leave()
	return p, panicked
}

// outcome is the panic that ended this context's code, if one did.
func (s *side) outcome() (panicstate.Panic, bool) {
	if s == nil || s.panics == nil {
		return panicstate.Panic{}, false
	}
	return s.panics.Outcome()
}

// runsCode tells whether guest code runs in the context: not while a panic waits for
// its next deferred call, and not after the last.
func (s *side) runsCode() bool {
	if s == nil || s.panics == nil {
		return true
	}
	phase := s.panics.Phase()
	return phase != panicstate.Unwinding && phase != panicstate.Ended
}

// fatalError is the Fatal panic in force in the executing context. Whatever releases a
// trampoline hands it to the caller, so it is always the innermost that has it.
func (c *Core) fatalError() error {
	h, _ := c.executing(OpPanic)
	p, _ := c.sideOf(h).outcome()
	return &PanicError{Value: p.Value, Site: p.Site}
}

// Doom is why the current fiber may only unwind, with every call refused: the cause of
// its kill, or the *PanicError of a Fatal panic; nil if it need not. Hosts ask at every
// call, so that no recover of theirs or of a guest can swallow either.
func (c *Core) UnwindCause() error {
	if !c.cur.has(doomed | fatal) {
		return nil
	}
	return c.sentence()
}

func (c *Core) sentence() error {
	if c.cur.has(doomed) {
		return c.sideOf(c.cur).cause
	}
	return c.fatalError()
}
