package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// What a fiber itself sees of its cancellation and its kill. Both act on the whole chain, so their
// flags and their cause are the root's; c.cur is the root, whichever member executes.

// TakeInterrupt reports whether the current fiber should unwind now, and consumes a pending
// cancellation. Hosts call it where they poll: if nothing is pending it is one test of the
// header, also with no fiber current. The error is the cause. The answers:
//
//	Pending    nothing: continue
//	Killed     the fiber is killed, or a Fatal panic is in force: the same at every call
//	Cancelled  the fiber is cancelled and not masked: once, here or as Block's Interrupted
func (c *Core) TakeInterrupt() (fiber.Code, error) {
	if invariants.On {
		c.checkOwner(op.Cancel)
	}
	h := c.cur
	switch {
	case !h.has(interrupts):
		return fiber.Pending, nil
	case h.has(killPending | fatal):
		return fiber.Killed, c.Unwind().UnwindCause()
	}
	c.enter(op.Cancel)
	c.Unwind().takeCancel(h)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Cancel, ID: c.Current(), Answer: fiber.Cancelled.String()})
	}
	c.leave()
	return fiber.Cancelled, c.reg.ext(h).cause
}

// takeCancel records that the running root has received its pending cancellation. It is received
// once: from now on the fiber waits undisturbed while it unwinds, until a kill or Config.Grace.
func (f Unwind) takeCancel(h *header) {
	f.core.reg.ext(h).cancel = cancelTaken
	h.clear(cancelPending)
}

// UnwindCause is why the current fiber may only unwind, with every call refused: the cause of
// its kill, or the *PanicError of a Fatal panic; nil otherwise. Hosts ask at every call, so
// that no recover of theirs or of a guest can swallow either.
func (f Unwind) UnwindCause() error {
	c := f.core
	switch {
	case c.cur.has(killPending):
		return c.reg.ext(c.cur).cause
	case c.cur.has(fatal):
		return f.fatalError()
	}
	return nil
}

// Mask defers cancellation of the current fiber until the matching Unmask: a wait is not interrupted
// by one, and TakeInterrupt does not answer Cancelled. A kill is not deferred, and the grace
// period of a cancellation runs on. Masks nest; under a native call they are the root's.
func (f Unwind) Mask() {
	c := f.core
	c.enter(op.Mask)
	c.executing(op.Mask)
	s := c.reg.keepExt(c.cur)
	s.masks++
	c.cur.setCancelPending(s)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Mask, ID: c.Current()})
	}
	c.leave()
}

// Unmask undoes one Mask. After the last, a cancellation that came meanwhile is pending: the next
// Block or TakeInterrupt receives it, and Unmask itself ends nothing. Without a Mask it is a
// contract error (rule CALL-ORDER).
func (f Unwind) Unmask() {
	c := f.core
	c.enter(op.Unmask)
	c.executing(op.Unmask)
	s := c.reg.ext(c.cur)
	if s == nil || s.masks == 0 {
		c.refuse(op.Unmask)
	}
	s.masks--
	c.cur.setCancelPending(s)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Unmask, ID: c.Current()})
	}
	c.leave()
}

// Cause is why a living fiber, or the fiber of a native call, was killed or cancelled; nil if it was
// neither or is not alive. For a kill it wraps ErrKilled. A cause that == cannot compare is wrapped.
func (f Unwind) Cause(id fiber.ID) error {
	h, _ := f.core.chains().rootOf(id)
	if h == nil {
		return nil
	}
	if s := f.core.reg.ext(h); s != nil {
		return s.cause
	}
	return nil
}

// KillPending reports whether a fiber, or the fiber of a native call, has been killed and is not
// Dead yet.
func (f Unwind) KillPending(id fiber.ID) bool {
	h, _ := f.core.chains().rootOf(id)
	return h != nil && h.has(killPending)
}
