package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// Kill ends a fiber, with the whole chain of native calls it is in, without running
// guest defers. A blocked fiber without frames is dead at once. Any other is doomed:
// its wait ends with Killed, its frames unwind with every operation refusing, and it
// is dead when they have; one that is ready and has no frames dies when its turn
// comes. The first cause stays; nil means ErrKilled.
func (c *Core) Kill(id fiber.ID, cause error) error {
	c.enter(OpKill)
	err := c.kill(id, cause)
	c.deliverPending()
	c.leave()
	return err
}

func (c *Core) kill(id fiber.ID, cause error) error {
	err := c.slay(id, cause)
	if c.watch != nil {
		c.report(Transition{Op: OpKill, ID: id, Answer: goneIf(err)})
	}
	return err
}

// slay is kill, whoever decided it.
func (c *Core) slay(id fiber.ID, cause error) error {
	h, root := c.rootOf(id)
	switch {
	case h == nil:
		return c.gone(id)
	case h.has(doomed):
		return nil
	case h.state() == fiber.Blocked && !h.has(frames):
		c.endWait(h, root, tokenAbandoned)
		c.forget(h)
		c.bury(h, root.Index(), killed, nil, killError(cause))
		return nil
	}
	s := c.keepSide(h)
	s.cause = killError(cause)
	h.set(doomed)
	h.clear(alarmed)
	if !h.has(frames) {
		h.set(reapable)
		if h.state() == fiber.Runnable {
			c.endBatch() // the batch may reach to it
		}
	}
	top, topID := h, root
	if h.has(chained) {
		top, topID = c.topOf(h)
	}
	if top.state() == fiber.Blocked {
		c.end(top, topID, fiber.Result{Code: fiber.Killed}, tokenAbandoned)
	}
	return nil
}

func killError(cause error) error {
	switch {
	case cause == nil, cause == ErrKilled:
		return ErrKilled
	}
	return fmt.Errorf("%w: %w", ErrKilled, cause)
}

// KillAll kills every fiber in slot order, so that runs stay reproducible.
func (c *Core) KillAll(cause error) {
	c.enter(OpKill)
	for slot := range c.slots.used {
		h := c.slots.at(slot)
		if h.state() != fiber.Dead {
			_ = c.kill(fiber.NewRegularID(slot, h.gen).ID(), cause) // alive: cannot be ErrGone
			c.deliverPending()
		}
	}
	c.leave()
}

// Doomed tells whether a fiber has been killed and has not finished unwinding.
func (c *Core) KillPending(id fiber.ID) bool {
	h, _ := c.rootOf(id)
	return h != nil && h.has(doomed)
}
