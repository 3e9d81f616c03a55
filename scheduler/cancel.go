package scheduler

import (
	"errors"
	"reflect"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// Cancel asks a fiber, with the whole chain of native calls it is in, to unwind: the
// wait at the top of the chain ends with Cancelled, or, if it is not waiting, its
// next Block is interrupted. Its defers run with further cancellation masked; after
// Config.Grace it is killed. The first cause stays; nil means ErrCancelled. A fiber
// that is cancelled or doomed already is left as it is.
func (c *Core) Cancel(id fiber.ID, cause error) error {
	c.enter(OpCancel)
	err := c.cancelFiber(id, cause)
	c.deliverPending()
	c.leave()
	return err
}

func (c *Core) cancelFiber(id fiber.ID, cause error) error {
	h, root := c.rootOf(id)
	if h == nil {
		if c.watch != nil {
			c.report(Transition{Op: OpCancel, ID: id, Answer: goneIf(ErrGone)})
		}
		return c.gone(id)
	}
	var grace fiber.Time
	if s := c.sideOf(h); !h.has(doomed) && (s == nil || s.cancel == notCancelled) {
		s = c.keepSide(h)
		s.cause = causeOf(cause)
		grace = c.startGrace(s, root)
		c.cancel(h, root, s)
	}
	if c.watch != nil {
		c.report(Transition{Op: OpCancel, ID: id, Grace: grace})
	}
	return nil
}

// causeOf is the cause that a cancelled fiber is told, and known by when it ends.
func causeOf(cause error) error {
	switch {
	case cause == nil:
		return ErrCancelled
	case !canCompare(cause):
		return &opaque{cause}
	}
	return cause
}

// canCompare tells whether == of the error and another is false or true, and no panic.
func canCompare(err error) bool { return reflect.ValueOf(err).Comparable() }

// names tells whether an error is another, or wraps it, as far as that can be told.
func names(err, other error) bool { return canCompare(other) && errors.Is(err, other) }

// opaque is an error that cannot be compared, in a form that can: errors.Is does not find
// the error itself, and of some it panics.
type opaque struct{ error }

// Unwrap is the error.
func (o *opaque) Unwrap() error { return o.error }

func (c *Core) cancel(h *header, root fiber.ID, s *side) {
	top, topID := h, root
	if h.has(chained) {
		top, topID = c.topOf(h)
	}
	if top.state() == fiber.Blocked && s.masks == 0 {
		s.cancel = cancelTaken
		c.end(top, topID, fiber.Result{Code: fiber.Cancelled}, tokenAbandoned)
		return
	}
	s.cancel = cancelPending
	c.alarm(h, s)
}

// startGrace is when the fiber has to have ended; 0 if it has for ever.
func (c *Core) startGrace(s *side, root fiber.ID) (ends fiber.Time) {
	if c.cfg.Grace > 0 {
		ends = c.Now().After(c.cfg.Grace)
		c.addTimer(wheel.Entry{Deadline: ends, Ticket: fiber.Ticket{ID: root}, Kind: endsGrace})
		s.grace = true
	}
	return ends
}

// alarm keeps the root's alarmed bit what it stands for: cancelled, not told, not
// masked.
func (c *Core) alarm(h *header, s *side) {
	h.clear(alarmed)
	if s.cancel == cancelPending && s.masks == 0 && !h.has(doomed) {
		h.set(alarmed)
	}
}

// tellCancel marks the pending cancellation of a running root as delivered.
func (c *Core) tellCancel(h *header) {
	c.sideOf(h).cancel = cancelTaken
	h.clear(alarmed)
}

// Mask puts off cancellation of the current fiber until the matching Unmask. A kill
// is not put off.
func (c *Core) Mask() {
	c.enter(OpMask)
	c.executing(OpMask)
	s := c.keepSide(c.cur)
	s.masks++
	c.alarm(c.cur, s)
	if c.watch != nil {
		c.report(Transition{Op: OpMask, ID: c.Current()})
	}
	c.leave()
}

// Unmask undoes one Mask.
func (c *Core) Unmask() {
	c.enter(OpUnmask)
	c.executing(OpUnmask)
	s := c.sideOf(c.cur)
	if s == nil || s.masks == 0 {
		c.refuse(OpUnmask)
	}
	s.masks--
	c.alarm(c.cur, s)
	if c.watch != nil {
		c.report(Transition{Op: OpUnmask, ID: c.Current()})
	}
	c.leave()
}

// Cause is why a living fiber was killed or cancelled, or nil.
func (c *Core) Cause(id fiber.ID) error {
	h, _ := c.rootOf(id)
	if h == nil {
		return nil
	}
	if s := c.sideOf(h); s != nil {
		return s.cause
	}
	return nil
}

// Interrupted tells whether the current fiber should unwind now: it is doomed, a Fatal
// panic is in force, or it is cancelled and not masked. Polls of a host ask this; the
// first two are told at every one (they are sticky), a cancelled fiber until it is told
// once, by this or by Block.
func (c *Core) TakeInterrupt() (fiber.Code, error) {
	h := c.cur
	switch {
	case !h.has(doomed | alarmed | fatal):
		return fiber.Pending, nil
	case h.has(doomed | fatal):
		return fiber.Killed, c.UnwindCause()
	}
	c.enter(OpCancel)
	c.tellCancel(h)
	if c.watch != nil {
		c.report(Transition{Op: OpCancel, ID: c.Current(), Answer: fiber.Cancelled.String()})
	}
	c.leave()
	return fiber.Cancelled, c.sideOf(h).cause
}
