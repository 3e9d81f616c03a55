package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// condSource is a Cond as the scheduler sees it: the same memory, other methods.
type condSource Cond

var (
	_ fiber.Assigner  = (*condSource)(nil)
	_ fiber.Described = (*condSource)(nil)
)

// Source is what a wait for a signal is armed with.
func (c *Cond) Source() fiber.Source {
	if c == nil {
		return nil // which the scheduler refuses by name
	}
	return (*condSource)(c)
}

// Withdraw removes a waiter that gave up. If Signal had chosen it, the next waiter is
// signaled in its place and joins the line for the lock; so no fiber wakes because of
// that.
func (src *condSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	c := (*Cond)(src)
	if c.waiting.Withdraw(t) == 0 {
		c.leaveLine(t)
	}
	c.leave()
	return dst
}

// Holds reports whether the ticket waits here, for a signal or for the lock.
func (src *condSource) Holds(t fiber.Ticket) bool {
	return src.waiting.Holds(t) || src.line.Holds(t)
}

// Forfeit is called when a fiber that was signaled and given the lock died before it ran.
// The signal goes to the next waiter; the lock follows the policy for a dead owner.
func (src *condSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	c := (*Cond)(src)
	if t.IsZero() || c.m == nil || c.m.granted != t {
		return dst, false
	}
	if c.chosen == t {
		c.signal(true)
	}
	return (*mutexSource)(c.m).Forfeit(t, dst)
}

// Waiting counts the fibers that wait for a signal.
func (src *condSource) Waiting() int { return src.waiting.Waiting() }

// Describe is for reports: `cond "full" of mutex "db" (waiting: 2, signaled: 1)`.
func (src *condSource) Describe() string {
	c := (*Cond)(src)
	if c.m == nil {
		return c.title() + " without a mutex"
	}
	return fmt.Sprintf("%s of %s (waiting: %d, signaled: %d)",
		c.title(), c.m.title(), c.waiting.Waiting(), c.line.Waiting())
}

// Holders appends the owner of the lock if all waiters have been signaled and wait only
// for the lock. Before that any fiber could signal, so none is named.
func (src *condSource) Holders(dst []fiber.ID) []fiber.ID {
	if src.m == nil || src.waiting.Waiting() > 0 {
		return dst
	}
	return (*mutexSource)(src.m).Holders(dst)
}
