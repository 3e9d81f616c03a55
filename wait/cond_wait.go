package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// ParkWait registers the owner of the lock and unlocks it; the wakeup is that of the next
// owner, if any. The wait ends with OK when id was signaled and owns the lock again, and
// with Failed when the lock was poisoned first. Errors: ErrNotOwner, which names the owner,
// and ErrForeign; the lock is then unchanged.
func (c *Cond) ParkWait(t fiber.Ticket, id fiber.ID) (fiber.Wakeup, error) {
	switch {
	case c.m == nil:
		panic(&ContractError{Rule: rule.ValidArgument, Op: "wait", Object: c.title(), Ticket: t,
			Fix: "it has no mutex; make it with NewCond"})
	case !c.belongs(t.Scheduler()):
		return fiber.Wakeup{}, c.refuse("wait", 0, id, ErrForeign)
	case id == 0 || c.m.owner != id:
		return fiber.Wakeup{}, c.refuse("wait", c.m.owner, id, ErrNotOwner)
	case !c.m.belongs(t.Scheduler()):
		return fiber.Wakeup{}, c.m.refuse("wait", 0, id, ErrForeign)
	}
	first := c.empty()
	if !c.waiting.Push(t, 0, id) {
		panic(outOfOrder("wait", c.title(), t))
	}
	if first {
		c.m.conds = append(c.m.conds, c)
	}
	return c.m.handOver(), nil
}

// Collect acknowledges the lock that was handed over to the ticket, as Mutex.Collect does.
func (c *Cond) Collect(t fiber.Ticket) bool { return c.m != nil && c.m.Collect(t) }
