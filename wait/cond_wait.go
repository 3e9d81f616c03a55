package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

var (
	_ fiber.Assigner  = (*Cond)(nil)
	_ fiber.Described = (*Cond)(nil)
)

// ParkWait registers the owner of the lock and unlocks it; the wakeup is the lock's next
// owner, if any. The wait ends with OK when id was signalled and owns the lock again,
// and with Failed when the lock was poisoned first. Errors: ErrNotOwner, which names the
// owner, and ErrForeign; the lock is then as it was.
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

// Collect acknowledges the lock handed over to the ticket, as Mutex.Collect does.
func (c *Cond) Collect(t fiber.Ticket) bool { return c.m != nil && c.m.Collect(t) }

// Withdraw removes one that gave up. If Signal had chosen it, the next one is signalled
// in its place, and stands in the line for the lock; so nobody wakes because of that.
func (c *Cond) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if c.waiting.Withdraw(t) == 0 {
		c.leaveLine(t)
	}
	c.leave()
	return dst
}

// leaveLine takes a signalled waiter out of the line for the lock.
func (c *Cond) leaveLine(t fiber.Ticket) {
	p, ok := c.line.Peek(t)
	if !ok {
		return
	}
	single := p.single
	c.line.Withdraw(t)
	c.m.inLine--
	if single {
		c.signal(true)
	}
}

// Holds tells whether the ticket waits here, for a signal or for the lock.
func (c *Cond) Holds(t fiber.Ticket) bool { return c.waiting.Holds(t) || c.line.Holds(t) }

// Forfeit: the fiber died that was signalled and given the lock, before it ran. The
// signal goes on to the next; the lock follows the policy of an owner's death.
func (c *Cond) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if t.IsZero() || c.m == nil || c.m.granted != t {
		return dst
	}
	if c.chosen == t {
		c.signal(true)
	}
	return c.m.Forfeit(t, dst)
}

// Describe is for reports: `cond "full" of mutex "db" (waiting: 2, signalled: 1)`.
func (c *Cond) Describe() string {
	if c.m == nil {
		return c.title() + " without a mutex"
	}
	return fmt.Sprintf("%s of %s (waiting: %d, signalled: %d)",
		c.title(), c.m.title(), c.waiting.Waiting(), c.line.Waiting())
}

// Holders appends the owner of the lock if everybody here was signalled and waits for
// nothing else; before that any fiber could signal.
func (c *Cond) Holders(dst []fiber.ID) []fiber.ID {
	if c.m == nil || c.waiting.Waiting() > 0 {
		return dst
	}
	return c.m.Holders(dst)
}
