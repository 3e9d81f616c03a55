package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Pause lets a fiber, with the whole chain of native calls it is in, run no more until Resume. One
// that runs continues until its slice ends, or it waits: it is held when it comes to the head of the
// ready queue. Waits end as ever, also by Cancel; the fiber receives the result when it runs again.
// A kill, the end of a grace period and the end of the run let it unwind at once, although it is
// paused. A native call that nests (Options.Nests) returns before the fiber is held, because its
// frames are on the stack that drives the others. A second Pause has no effect. A paused fiber does
// not move, and an idle scheduler with a held fiber is Waiting. Errors: ErrGone, ErrMovedOut. O(1).
//
// The owner calls it. Other goroutines use Inbox.Do, or what the host has.
func (f Attachments) Pause(id fiber.ID) error { return f.setPaused(id, true) }

// Resume ends a Pause: a fiber that is held goes to the back of the ready queue. It has no effect on a
// fiber that is not paused. Errors: ErrGone, ErrMovedOut. O(1).
func (f Attachments) Resume(id fiber.ID) error { return f.setPaused(id, false) }

func (f Attachments) setPaused(id fiber.ID, paused bool) error {
	c := f.core
	c.enter(op.Hold)
	defer c.leave()
	h, root := c.chains().rootOf(id)
	switch {
	case h == nil:
		return c.gone(id)
	case c.reg.isPaused(h) == paused:
		return nil
	case paused:
		c.reg.keepExt(h).paused = true
		c.run().countPaused(1)
		return nil
	}
	c.reg.ext(h).paused = false
	c.run().countPaused(-1)
	if slot := root.Index(); c.pauses.isHeld(slot) {
		c.holding().unhold(slot)
	}
	return nil
}

// Paused reports whether something pauses a fiber, or that of a native call. It may still run: see
// Pause.
func (f Inspect) Paused(id fiber.ID) bool {
	h, root := f.core.chains().rootOf(id)
	return h != nil && f.core.holding().pausedBy(h, root.Index()) != nil
}
