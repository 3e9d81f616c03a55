package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Disarm takes the armed ticket back: the wait is over, the ticket is spent, and every source has
// withdrawn it (I10). The fiber runs on. If the ticket was delivered already, Disarm returns the
// result and true, and the caller must use it: do not Claim it again; its value is at the source.
// A token that was awaited is in flight again and can be awaited by a later Arm. With nothing
// armed it is a contract error (I13). The time is proportional to the sources of the wait.
func (c *Core) Disarm() (fiber.Result, bool) {
	c.enter(op.Disarm)
	h, id := c.executing(op.Disarm)
	switch {
	case h.has(latched):
		c.unlatch(h)
		if h.has(owed) {
			c.reg.forget(h) // the caller has the result
		}
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Disarm, ID: id})
		}
		c.leave()
		return fiber.Result{Code: h.code(), Value: h.value}, true
	case h.has(armed):
		c.disarm(h, id, tokenKept)
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Disarm, ID: id})
		}
		c.deliverPending()
		c.leave()
		return fiber.Result{}, false
	}
	c.refuse(op.Disarm)
	return fiber.Result{}, false
}

// unlatch takes the latched result into use: the fiber may do other operations again.
func (c *Core) unlatch(h *header) {
	h.clear(latched)
	c.mirror(h)
}

// disarm ends an armed wait that has no result. The caller delivers what the sources decide: a
// withdrawal can let other fibers continue, such as readers behind a writer that gave up. What was
// assigned to the ticket is forfeited, so the references to the sources go at once.
func (c *Core) disarm(h *header, id fiber.ID, fate tokenFate) {
	c.endWait(h, id, fate)
	c.forfeitUndelivered(h, fiber.Ticket{ID: id, Seq: h.seq})
	h.clear(armed)
	c.mirror(h)
	c.reg.forget(h)
}
