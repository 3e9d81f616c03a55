package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// A slice can be run by another goroutine than the owner: a worker with an execution slot of
// its own. The scheduler does not know the workers, only which fibers are lent:
//
//	ScheduleNext   Runnable → Running, current
//	Lend           stays Running; no fiber is current, the payload is the worker's
//	Recall         current again, the payload is the owner's: apply what the slice did
//	Finish         as its outcome says
//
// While a fiber is lent nothing is armed for it, so a delivery is stale; a cancellation is
// pending; a kill is pending too, and the fiber dies when its slice has ended.

// Lend gives the current fiber away for one slice: no fiber is current, and until Recall its
// payload belongs to the goroutine that runs it. The fiber must have nothing armed, and must
// not nest (Options.Nests): its pump would stand on the worker's stack. Anything else is a
// contract error (I2). O(1), no allocation.
//
// The scheduler does not synchronize the two goroutines. The host's hand-over, such as a send
// on a Go channel, must make Lend happen before the slice, and the slice before Recall.
func (f Moves[T]) Lend() fiber.RegularID {
	c := &f.sched.Core
	c.enter(op.Lend)
	h := c.cur
	if h.word&gateMask != running || h.has(nests) {
		c.refuse(op.Lend)
	}
	id := fiber.RegularID(c.curID)
	h.set(lent)
	c.lent++
	c.cur = c.none
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Lend, ID: id.ID(), Answer: "lent"})
	}
	c.leave()
	return id
}

// Recall takes a fiber back at the end of its slice: it is current again. It must be lent,
// and no fiber may be current; anything else is a contract error (I2). Fibers may be recalled
// in any order; the order of the calls is the order in which their effects are applied, so a
// host that wants reproducible runs chooses it independently of the workers' speed.
func (f Moves[T]) Recall(id fiber.RegularID) {
	c := &f.sched.Core
	c.enter(op.Lend)
	h := c.slots.find(id.ID())
	if h == nil || !h.has(lent) || c.cur != c.none {
		c.refuse(op.Lend)
	}
	h.clear(lent)
	c.lent--
	c.cur, c.curID = h, id.ID()
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Lend, ID: id.ID(), Answer: "recalled"})
	}
	c.leave()
}

// Lent counts the fibers that are lent. While there are any, an idle scheduler is Waiting:
// their slices will end.
func (f Moves[T]) Lent() int { return f.sched.lent }
