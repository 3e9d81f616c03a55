package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Wake makes a Blocked fiber run again, by ID, with the result OK. It is for owner code that
// knows the fiber is Blocked, neither on its own callee nor on an object: anything else is a
// contract error (I3, I11). All other code delivers a ticket (Deliver), which is refused
// without harm when it is late: an ID does not say which of the fiber's waits is meant.
//
// The wait of a trampoline can be ended too; its root is enqueued, if it parks. A deadline of
// the wait is withdrawn, an operation is abandoned (I10, I12).
func (c *Core) Wake(id fiber.ID) {
	c.enter(op.Wake)
	h := c.find(id)
	const fix = "Wake is for owner code that knows the fiber is Blocked and not on its own callee; use Deliver with a ticket when it may not be"
	switch {
	case h == nil:
		c.refuseAs(op.Wake, rule.I3, "%v is gone: %s", id, fix)
	case h.state() != fiber.Blocked:
		c.refuseAs(op.Wake, rule.I3, "%v is %v: %s", id, h.state(), fix)
	case h.has(onCallee):
		c.refuseAs(op.Wake, rule.I3, "%v is blocked on its own callee: %s", id, fix)
	case c.reg.hasSources(h):
		c.refuseAs(op.Wake, rule.I11, "%v waits on an object, which decides which fiber it wakes and with what: Apply its wake-up", id)
	}
	c.end(h, id, fiber.Result{Code: fiber.OK}, tokenAbandoned)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Wake, ID: id})
	}
	c.deliverPending()
	c.leave()
}
