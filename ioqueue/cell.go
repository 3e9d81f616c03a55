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
	fiber.Anchor
	waiters   waitq.Queue[struct{}]
	value     any
	err       error
	owner     fiber.ID
	completed bool
	observed  bool
}

// A deadlock report can ask a Cell what it is.
var _ fiber.Described = (*Cell)(nil)

// Complete sets the result, for ever, and appends to dst everybody who waits, in the
// order they came (I11). The wake-ups say OK whatever err is: what came is read from
// Result. A second call is an error, ErrCompleted, and changes nothing.
func (c *Cell) Complete(value any, err error, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if c.completed {
		return dst, ErrCompleted
	}
	c.value, c.err, c.completed = value, err, true
	for {
		t, tag, _, ok := c.waiters.Pop()
		if !ok {
			c.waiters = waitq.Queue[struct{}]{} // nobody parks any more
			return dst, nil
		}
		dst = append(dst, fiber.Wakeup{Ticket: t, Result: fiber.Result{Code: fiber.OK, Value: tag}, From: c.Slot()})
	}
}

// Result is what the cell was completed with; done is false while it is open. Reading
// a completed cell counts as observing it.
func (c *Cell) Result() (value any, err error, done bool) {
	c.observed = c.observed || c.completed
	return c.value, c.err, c.completed
}

// Completed tells whether the result is there. Asking is not observing it.
func (c *Cell) Completed() bool { return c.completed }

// Failed tells whether it was completed with an error. Asking is not observing it.
func (c *Cell) Failed() bool { return c.err != nil }

// Observed tells whether anybody read the result. A failed cell that nobody observed
// is an error nobody knows of: its owner reports it.
func (c *Cell) Observed() bool { return c.observed }

// Park registers the ticket of a wait the caller just armed with this cell as its
// source; tag comes back as the wake-up's Result.Value (the case index of a select).
// Errors: ErrCompleted if there is nothing to wait for any more (read Result),
// ErrOrder.
func (c *Cell) Park(t fiber.Ticket, tag uint32) error {
	if c.completed {
		return ErrCompleted
	}
	if !c.waiters.Push(t, tag, struct{}{}) {
		return ErrOrder
	}
	return nil
}

// Withdraw removes the ticket. Nobody can go on because of that.
func (c *Cell) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	c.waiters.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits here.
func (c *Cell) Holds(t fiber.Ticket) bool { return c.waiters.Holds(t) }

// SetOwner names the fiber that is to complete the cell, and nobody else, for deadlock
// reports. The scheduler does it for join cells.
func (c *Cell) SetOwner(id fiber.ID) { c.owner = id }

// Owner is that fiber; 0 if nobody is named.
func (c *Cell) Owner() fiber.ID { return c.owner }

// Describe is "the end of f3.1", or "a completion" if nobody is named.
func (c *Cell) Describe() string {
	if c.owner == 0 {
		return "a completion"
	}
	return "the end of " + c.owner.String()
}

// Holders appends the fiber that is to complete the cell, while it is open.
func (c *Cell) Holders(dst []fiber.ID) []fiber.ID {
	if c.owner == 0 || c.completed {
		return dst
	}
	return append(dst, c.owner)
}
