package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Claim collects how the executing context's last wait ended. A value that came with the
// result is at its source, under the ticket. Claim it once, when the fiber runs again.
func (c *Core) Claim() (fiber.Ticket, fiber.Result) {
	h := c.cur
	if h.word&claimMask != running || c.op != op.None || h.has(hasExt) && !c.reg.keepsSole(h) {
		return c.claimSlow()
	}
	if h.has(owed) {
		h.word ^= owed | kept
	}
	return fiber.Ticket{ID: c.curID, Seq: h.seq}, fiber.Result{Code: h.code(), Value: h.value}
}

func (c *Core) claimSlow() (fiber.Ticket, fiber.Result) {
	c.enter(op.Claim)
	h, id := c.executing(op.Claim)
	if h.has(armed | latched) {
		c.refuse(op.Claim)
	}
	t, r := fiber.Ticket{ID: id, Seq: h.seq}, fiber.Result{Code: h.code(), Value: h.value}
	if h.has(owed) {
		c.reg.forget(h)
	}
	c.leave()
	return t, r
}
