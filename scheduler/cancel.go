package scheduler

import (
	"errors"
	"reflect"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// Cancel asks a fiber to unwind, with the whole chain of native calls it is in. If the top of
// the chain waits, that wait ends with Cancelled; otherwise its next Block is interrupted.
// Its defers run with further cancellation masked; after Config.Grace it is killed. The
// first cause stays; nil means ErrCancelled. A fiber that is already cancelled or killed is
// left as it is. Errors: ErrGone, ErrMovedOut.
func (c *Core) Cancel(id fiber.ID, cause error) error {
	c.enter(op.Cancel)
	err := c.cancelFiber(id, cause)
	c.deliverPending()
	c.leave()
	return err
}

func (c *Core) cancelFiber(id fiber.ID, cause error) error {
	h, root := c.chains().rootOf(id)
	if h == nil {
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Cancel, ID: id, Answer: goneIf(ErrGone)})
		}
		return c.gone(id)
	}
	var grace fiber.Time
	if s := c.reg.ext(h); !h.has(killPending) && (s == nil || s.cancel == notCancelled) {
		s = c.reg.keepExt(h)
		s.cause = comparableCause(cause)
		grace = c.startGrace(s, root)
		c.cancel(h, root, s)
	}
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Cancel, ID: id, Grace: grace})
	}
	return nil
}

// cancel ends the wait at the top of the chain, or leaves the cancellation pending.
func (c *Core) cancel(h *header, root fiber.ID, s *ext) {
	top, topID := h, root
	if h.has(chained) {
		top, topID = c.chains().topOf(h)
	}
	if top.state() == fiber.Blocked && s.masks == 0 {
		s.cancel = cancelTaken
		c.end(top, topID, fiber.Result{Code: fiber.Cancelled}, tokenAbandoned)
		return
	}
	s.cancel = cancelRequested
	h.setCancelPending(s)
}

// setCancelPending makes the root's flag agree with its record: cancelled, not yet received
// by the fiber, not masked.
func (h *header) setCancelPending(s *ext) {
	h.clear(cancelPending)
	if s.cancel == cancelRequested && s.masks == 0 && !h.has(killPending) {
		h.set(cancelPending)
	}
}

// startGrace starts the grace period and returns its end; 0 if there is no such period.
func (c *Core) startGrace(s *ext, root fiber.ID) (ends fiber.Time) {
	if c.cfg.Grace > 0 {
		ends = c.Now().After(c.cfg.Grace)
		c.timers.add(wheel.Entry{Deadline: ends, Ticket: fiber.Ticket{ID: root}, Kind: endsGrace})
		s.grace = true
	}
	return ends
}

// endGrace kills a cancelled fiber that has not unwound within its grace period.
func (c *Core) endGrace(e wheel.Entry) {
	c.reg.ext(c.find(e.Ticket.ID)).grace = false
	_ = c.killFiber(e.Ticket.ID, ErrGraceOver) // alive, or its timer would not be live
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Expire, ID: e.Ticket.ID, Grace: e.Deadline})
	}
}

// comparableCause is the cause that a cancelled fiber receives, in a form that == accepts.
func comparableCause(cause error) error {
	switch {
	case cause == nil:
		return ErrCancelled
	case !canCompare(cause):
		return &opaque{cause}
	}
	return cause
}

// canCompare tells whether the error can be compared with == without a panic.
func canCompare(err error) bool { return reflect.ValueOf(err).Comparable() }

// wraps tells whether an error is another or wraps it, as far as that can be compared.
func wraps(err, other error) bool { return canCompare(other) && errors.Is(err, other) }

// opaque makes an error that cannot be compared comparable. errors.Is does not find the
// error itself, and would panic on some of them.
type opaque struct{ error }

// Unwrap is the error.
func (o *opaque) Unwrap() error { return o.error }
