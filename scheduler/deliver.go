package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Deliver ends the wait that a ticket stands for. Every source of wake-ups uses it, except
// owner code that knows the fiber's state and may Wake it. A ticket that is late, spent,
// forged or from another scheduler is refused and changes nothing (I3, I5); the answer tells
// why. The value that goes with the result is at the source. A code other than OK, Closed and
// Failed is a contract error: the other codes are the scheduler's own. Other goroutines post
// Inbox.Deliver. The time is proportional to the sources of the wait, and to the wake-ups that
// its end causes.
//
// The fast path serves a wait without sources, deadline and extension record: there is nothing
// to withdraw.
func (c *Core) Deliver(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	if invariants.On {
		c.checkOwner(op.Deliver)
	}
	h := c.slots.peek(uint32(t.ID))
	if h == nil || !h.waitsBy(t, 0) || r.Code-fiber.OK > fiber.Failed-fiber.OK || c.step >= c.fastUntil {
		return c.deliverSlow(fiber.Wakeup{Ticket: t, Result: r})
	}
	h.value = r.Value
	c.passKnown(h, h.word|word(r.Code)<<codeShift, woken, uint32(t.ID)) // the code was Pending, 0
	c.run().join(h, t.ID)
	if invariants.On {
		c.endFast()
	}
	return fiber.Woken
}

// Apply delivers what a waiting object decided, like Deliver. Its fast path serves a wake-up
// with From set: the object states that it has removed the ticket itself. That is believed only
// if it is the one source of the wait (decision 0020); otherwise the wake-up is an ordinary
// Deliver, and every source withdraws. The zero Wakeup stands for no fiber: nothing is done, and
// the answer is 0.
func (c *Core) Apply(w fiber.Wakeup) fiber.Delivery {
	if invariants.On {
		c.checkOwner(op.Deliver)
	}
	if w.Result.Code-fiber.OK > fiber.Failed-fiber.OK || c.step >= c.fastUntil {
		return c.applySlow(w)
	}
	h := c.slots.peek(uint32(w.Ticket.ID))
	if h == nil || !h.waitsBy(w.Ticket, w.From) && !c.reg.waitsWithExt(h, w.Ticket, w.From) {
		return c.applySlow(w)
	}
	ended := h.word | word(w.Result.Code)<<codeShift // the code was Pending, 0
	if w.From != 0 {
		ended |= owed // until it is claimed
	}
	h.value = w.Result.Value
	c.passKnown(h, ended, woken, uint32(w.Ticket.ID))
	c.run().join(h, w.Ticket.ID)
	if invariants.On {
		c.endFast()
	}
	return fiber.Woken
}

// applySlow is Apply without the object's statement.
func (c *Core) applySlow(w fiber.Wakeup) fiber.Delivery {
	if w.IsZero() {
		return 0
	}
	return c.deliverSlow(w)
}

// deliverSlow is Deliver as an operation. Codes are unsigned, so the difference to OK is large
// for a code below OK, and one comparison refuses both ends of the range.
func (c *Core) deliverSlow(w fiber.Wakeup) fiber.Delivery {
	c.enter(op.Deliver)
	if w.Result.Code-fiber.OK > fiber.Failed-fiber.OK {
		c.refuseAs(op.Deliver, rule.ValidArgument, "a delivery carries OK, Closed or Failed, not %v: the other codes are the scheduler's own (Cancel, Kill, deadlines)", w.Result.Code)
	}
	d := c.deliver(w)
	if d == fiber.Stale && w.From != 0 {
		c.returnRefused(w)
	}
	c.deliverPending()
	c.leave()
	return d
}

// deliver is Deliver within an operation. The caller delivers what follows from it.
func (c *Core) deliver(w fiber.Wakeup) fiber.Delivery {
	d := c.deliverTo(w)
	if t := w.Ticket; c.observer != nil && !t.IsZero() {
		c.observer.report(Transition{Op: op.Deliver, ID: t.ID, Seq: t.Seq, Answer: d.String()})
	}
	return d
}

// deliverTo checks the ticket in the order of docs/design.md#transitions: the first difference
// decides the answer, and until the last check nothing is changed (I3). A wait with a source is
// then marked as owed before it ends: from here on the source may have assigned something, which
// is forfeited if the fiber dies before it claims (I12).
func (c *Core) deliverTo(w fiber.Wakeup) fiber.Delivery {
	t := w.Ticket
	if t.Scheduler() != c.number {
		return fiber.WrongSource
	}
	h := c.find(t.ID)
	if h == nil {
		return fiber.Gone
	}
	if h.seq != t.Seq || !h.waits() {
		return fiber.Stale
	}
	if h.kind() != fiber.Queue {
		return fiber.WrongSource
	}
	if c.reg.hasSources(h) {
		h.set(owed)
		c.reg.setEndedBy(h, w.From)
	}
	return c.end(h, t.ID, w.Result, tokenAbandoned)
}

// deliverPending delivers what sources decided while an operation withdrew a wait or
// released a dead owner's locks, in the order of the decisions: those deliveries may decide
// more. The orders of links come last. Every operation that may decide something calls it before
// it ends (I9). It is a queue and not a recursion, so a long cascade needs no native stack.
func (c *Core) deliverPending() {
	c.deliverWakeups()
	if len(c.orders) > 0 {
		c.carryOutOrders()
	}
}

// deliverWakeups empties the list, which grows while it is walked. A wake-up may be stale by
// now, because an earlier one of the list has ended the same wait; it is refused then.
func (c *Core) deliverWakeups() {
	for i := 0; i < len(c.wakeups); i++ {
		if d := c.deliver(c.wakeups[i]); !d.Accepted() {
			c.refusedWakeUp(i, d)
		}
	}
	c.wakeups = c.wakeups[:0]
	if invariants.On {
		c.deciders = c.deciders[:0]
	}
}
