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
// Its defers run with further cancellation masked; after Config.Grace it is killed. While the
// fiber masks cancellation (Mask), its wait goes on and the cancellation is pending. The first
// cause stays; nil means ErrCancelled. A fiber that is already cancelled or killed is left as it
// is. Errors: ErrGone, ErrMovedOut. The time is proportional to the sources of the wait that
// ends and to the wake-ups that its end causes.
func (c *Core) Cancel(id fiber.ID, cause error) error {
	c.enter(op.Cancel)
	err := c.cancelFiber(id, cause)
	c.deliverPending()
	c.leave()
	return err
}

// cancelFiber is Cancel within an operation. The caller delivers the wake-ups that it causes,
// after the observer has received the cancellation: a replay needs the cause before the effects.
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

// cancel ends the wait at the top of the chain, or leaves the cancellation pending. A fiber whose
// wait it ends receives the cancellation as the result of that wait, so it is not pending as
// well: one cancellation is received once.
func (c *Core) cancel(h *header, root fiber.ID, s *ext) {
	top, topID := h, root
	if h.has(chained) {
		top, topID = c.chains().topOf(h)
	}
	if top.state() == fiber.Blocked && s.masks == 0 {
		s.cancel = cancelTaken
		s.interruptContexts(h)
		c.end(top, topID, fiber.Result{Code: fiber.Cancelled}, tokenAbandoned)
		return
	}
	s.cancel = cancelRequested
	h.setCancelPending(s)
}

// setCancelPending makes the root's flag agree with its record: cancelled, not yet received
// by the fiber, not masked, and not replaced by a kill. Call it after every change of those; the
// fast paths see only the flag.
func (h *header) setCancelPending(s *ext) {
	h.clear(cancelPending)
	if s.cancel == cancelRequested && s.masks == 0 && !h.has(killPending) {
		h.set(cancelPending)
		s.interruptContexts(h)
	}
}

// startGrace starts the grace period and returns its end; 0 if there is no such period. Its
// timer is not refused at Config.MaxTimers: a cancellation must not fail for want of room. The
// entry has no Seq, because it belongs to the fiber and not to one of its waits.
func (c *Core) startGrace(s *ext, root fiber.ID) (ends fiber.Time) {
	if c.cfg.Grace > 0 {
		ends = c.Now().After(c.cfg.Grace)
		c.timers.add(wheel.Entry{Deadline: ends, Ticket: fiber.Ticket{ID: root}, Kind: endsGrace})
		s.grace = true
	}
	return ends
}

// endGrace kills a cancelled fiber that has not unwound within its grace period. The entry was
// found live (isTimerLive), so the fiber is the one that was cancelled.
func (c *Core) endGrace(e wheel.Entry) {
	c.reg.ext(c.find(e.Ticket.ID)).grace = false
	_ = c.killFiber(e.Ticket.ID, ErrGraceOver) // alive, or its timer would not be live
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Expire, ID: e.Ticket.ID, Grace: e.Deadline})
	}
}

// comparableCause is the cause that a cancelled fiber receives, in a form that == accepts. The
// cause is any value of the caller. It is compared with the error that the fiber ends with, here
// and in hosts, and == panics on a value such as a struct that holds a slice.
func comparableCause(cause error) error {
	switch {
	case cause == nil:
		return ErrCancelled
	case !canCompare(cause):
		return &opaque{cause}
	}
	return cause
}

// canCompare reports whether the error can be compared with == without a panic. The type alone
// does not tell: a struct may hold an interface whose value is a slice.
func canCompare(err error) bool { return reflect.ValueOf(err).Comparable() }

// wraps reports whether an error is another or wraps it. It is false, and never a panic, for
// one that cannot be compared.
func wraps(err, other error) bool { return canCompare(other) && errors.Is(err, other) }

// opaque makes an error that cannot be compared comparable. errors.Is does not find the
// error itself, and would panic on some of them.
type opaque struct{ error }

// Unwrap is the error.
func (o *opaque) Unwrap() error { return o.error }
