package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Disarm takes the armed ticket back. If it was delivered already, Disarm returns the result,
// which the caller must use: do not Claim it again; its value is at the source.
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

func (c *Core) unlatch(h *header) {
	h.clear(latched)
	c.mirror(h)
}

// disarm ends an armed wait that has no result. The caller delivers what the sources decide.
func (c *Core) disarm(h *header, id fiber.ID, fate tokenFate) {
	c.endWait(h, id, fate)
	h.clear(armed)
	c.mirror(h)
	c.reg.forget(h)
}
