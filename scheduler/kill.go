package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Kill ends a fiber, with the whole chain of native calls it is in, without running guest
// defers. A blocked fiber without frames is dead at once. A runnable one without frames dies
// when its turn comes. Any other has a kill pending: its wait ends with Killed, its frames
// unwind with every operation refused, and it is dead when they have unwound. The first
// cause stays; nil means ErrKilled. Errors: ErrGone, ErrMovedOut. The time is proportional to
// what a fiber that dies at once holds, and to the wake-ups that follow.
func (c *Core) Kill(id fiber.ID, cause error) error {
	c.enter(op.Kill)
	err := c.kill(id, cause)
	c.deliverPending()
	c.leave()
	return err
}

// kill is Kill within an operation. The caller delivers what follows from it.
func (c *Core) kill(id fiber.ID, cause error) error {
	err := c.killFiber(id, cause)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Kill, ID: id, Answer: goneIf(err)})
	}
	return err
}

// killFiber is kill without the report to the observer: the end of a grace period is
// reported as an expiry.
//
// A fiber that does not die at once keeps its state. Cause and flag are set before its wait ends,
// so that it unwinds from the first moment it runs. The flag of a pending cancellation goes: the
// kill replaces it. A fiber without frames is marked reapable, and never mounted again: Poll ends
// it at the head of the queue, Finish at the end of its slice. Of a chain only the innermost call
// can be in a wait of its own, so that is the wait which the kill ends. A held fiber returns to the
// ready queue.
func (c *Core) killFiber(id fiber.ID, cause error) error {
	h, root := c.chains().rootOf(id)
	switch {
	case h == nil:
		return c.gone(id)
	case h.has(killPending):
		return nil
	case h.state() == fiber.Blocked && !h.has(frames):
		c.endWait(h, root, tokenAbandoned)
		c.forfeitUndelivered(h, fiber.Ticket{ID: root, Seq: h.seq})
		c.reg.forget(h)
		c.endFiber(h, root.Index(), killed, nil, killError(cause))
		return nil
	}
	s := c.reg.keepExt(h)
	s.cause = killError(cause)
	h.set(killPending)
	h.clear(cancelPending)
	s.interruptContexts(h)
	if !h.has(frames) {
		h.set(reapable)
		if h.state() == fiber.Runnable {
			c.run().endBatch() // it may be in the batch, which only holds fibers to mount
		}
	}
	if c.pauses.isHeld(root.Index()) {
		c.holding().unhold(root.Index())
	}
	top, topID := h, root
	if h.has(chained) {
		top, topID = c.chains().topOf(h)
	}
	if top.state() == fiber.Blocked {
		c.end(top, topID, fiber.Result{Code: fiber.Killed}, tokenAbandoned)
	}
	return nil
}

// KillAll kills every fiber in slot order, so that runs stay reproducible. Those with frames still
// have to unwind: run the loop until none is alive. What each death decides is carried out before
// the next kill, as if the kills were separate operations. The time is proportional to the slots
// that were ever in use.
func (f Steps) KillAll(cause error) {
	c := f.core
	c.enter(op.Kill)
	for slot := range c.slots.used {
		h := c.slots.at(slot)
		if h.state() != fiber.Dead {
			_ = c.kill(fiber.NewRegularID(slot, h.gen).ID(), cause) // alive: cannot be ErrGone
			c.deliverPending()
		}
	}
	c.leave()
}
