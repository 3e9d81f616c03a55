package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// Claim collects how the executing context's last wait ended: its ticket and its result. A value
// that came with the result is at its source, under the ticket. Claim it once, when the fiber
// runs again and before its next wait; a fiber that dies without having claimed has its value
// forfeited (I12). The next Arm gives up an unclaimed result; the checked build refuses that Arm.
// Claim with a wait armed is a contract error (rule EXECUTING). It takes constant time and
// allocates nothing.
//
// With the claim the reference to a single source changes from owed to kept, so that the next
// wait on the same source counts nothing; that is one exclusive or of the word.
func (c *Core) Claim() (fiber.Ticket, fiber.Result) {
	if invariants.On {
		c.checkOwner(op.Claim)
	}
	h := c.cur
	if h.word&claimMask != running || c.op != op.None || h.has(hasExt) && !c.reg.keepsSole(h) {
		return c.claimSlow()
	}
	if h.has(owed) {
		h.word ^= owed | kept
	}
	return fiber.Ticket{ID: c.curID, Seq: h.seq}, fiber.Result{Code: h.code(), Value: h.value}
}

// claimSlow drops the references of the wait, and the extension record if only the wait needed
// it. It serves trampolines and waits on several sources, and every fiber while an observer is
// set. The result itself stays in the header until the next wait begins.
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
