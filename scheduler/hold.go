package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// What is paused is seen where a fiber is selected: at the head of the ready queue, when a batch is
// drawn. It is held there, and stays Runnable. So a pause costs the same however many fibers it
// is for, and while nothing is paused selection compares the state only.

// holding has the steps of a fiber that is held.
type holding struct{ core *Core }

func (c *Core) holding() holding { return holding{c} }

// pausedBy is the list in which a ready fiber is to be held, or nil if nothing pauses it. A fiber
// with a kill pending has to unwind, and is not held (I9).
func (f holding) pausedBy(h *header, slot uint32) *heldList {
	c := f.core
	switch {
	case c.pauses.active == 0 || h.has(killPending):
		return nil
	case c.reg.isPaused(h):
		return &c.pauses.own
	}
	return c.groups.pausedBy(slot)
}

// hold takes a fiber aside that has come to the head of the ready queue, which the caller has taken
// out of the ring.
func (f holding) hold(h *header, slot uint32, in *heldList) {
	c := f.core
	c.pauses.add(in, slot)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Hold, ID: fiber.NewRegularID(slot, h.gen).ID(), Answer: "held"})
	}
}

// unhold puts a held fiber at the back of the ready queue. If something else pauses it, it is held
// again when it comes to the head.
func (f holding) unhold(slot uint32) {
	c := f.core
	c.pauses.remove(slot)
	c.ring.push(slot)
	if h := c.slots.at(slot); c.observer != nil && !h.has(killPending) { // the kill has been, or is, reported
		c.observer.report(Transition{Op: op.Hold, ID: fiber.NewRegularID(slot, h.gen).ID(), Answer: "resumed"})
	}
}
