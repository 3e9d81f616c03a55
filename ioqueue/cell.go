package ioqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Cell holds the result of something that ends once: a fiber (its join cell), an
// operation a trampoline waits for (I8), a call from outside. It outlives the slot of
// the fiber that completes it, and any number of fibers may wait. The zero Cell is
// open. It belongs to the goroutine that owns the scheduler.
type Cell struct {
	anchor    fiber.Anchor
	waiters   waitq.Queue[struct{}]
	value     any
	err       error
	owner     fiber.ID // the fiber that is to complete it; 0 if unknown
	completed bool
	observed  bool
}

// Complete sets the result and appends to dst all waiting fibers, in order of arrival
// (I11). They wake with OK whatever err is, and read the outcome with Result. The result
// never changes: a second call returns ErrCompleted and does nothing.
func (c *Cell) Complete(value any, err error, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if c.completed {
		return dst, ErrCompleted
	}
	c.value, c.err, c.completed = value, err, true
	for {
		t, tag, _, ok := c.waiters.Pop()
		if !ok {
			c.waiters = waitq.Queue[struct{}]{} // release the memory: no fiber waits from now on
			return dst, nil
		}
		dst = append(dst, fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK, Value: tag}, From: c.anchor.Slot()})
	}
}

// Result is the value and error it was completed with; done is false while it is open.
// Reading a completed cell counts as observing it.
func (c *Cell) Result() (value any, err error, done bool) {
	c.observed = c.observed || c.completed
	return c.value, c.err, c.completed
}

// Completed reports whether there is a result. It does not count as observing it.
func (c *Cell) Completed() bool { return c.completed }

// Failed reports whether it was completed with an error. It does not count as observing
// that.
func (c *Cell) Failed() bool { return c.err != nil }

// Observed reports whether the result was read. The scheduler reports a failed cell that
// was never observed, so that no error is lost.
func (c *Cell) Observed() bool { return c.observed }

// Park registers the ticket of a wait that the caller has just armed with Source; tag is
// the wake-up's Result.Value (the case index of a select). Errors: ErrCompleted if there is
// a result already (read Result), ErrOrder.
func (c *Cell) Park(t fiber.Ticket, tag uint32) error {
	if c.completed {
		return ErrCompleted
	}
	if !c.waiters.Push(t, tag, struct{}{}) {
		return ErrOrder
	}
	return nil
}

// SetOwner names the only fiber that will complete the cell, for deadlock reports. The
// scheduler calls it for join cells.
func (c *Cell) SetOwner(id fiber.ID) { c.owner = id }

// Owner is the fiber named by SetOwner; 0 if there is none.
func (c *Cell) Owner() fiber.ID { return c.owner }

// Source is what a wait for the cell is armed with.
func (c *Cell) Source() fiber.Source { return (*cellSource)(c) }

// cellSource is a Cell as the scheduler sees it. It is the same memory under another type,
// so that the methods between scheduler and cell are not methods of Cell.
type cellSource Cell

var _ fiber.Described = (*cellSource)(nil)

// Anchored is the place for the scheduler's note about the cell.
func (c *cellSource) Anchored() *fiber.Anchor { return &c.anchor }

// Withdraw removes a waiter that gave up. No other fiber can continue because of that.
func (c *cellSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	c.waiters.Withdraw(t)
	return dst
}

// Holds reports whether the ticket waits for the cell.
func (c *cellSource) Holds(t fiber.Ticket) bool { return c.waiters.Holds(t) }

// Describe is "the end of f3.1", or "a completion" if the cell has no owner.
func (c *cellSource) Describe() string {
	if c.owner == 0 {
		return "a completion"
	}
	return "the end of " + c.owner.String()
}

// Holders appends the fiber that is to complete the cell, while it is open.
func (c *cellSource) Holders(dst []fiber.ID) []fiber.ID {
	if c.owner == 0 || c.completed {
		return dst
	}
	return append(dst, c.owner)
}
