package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// Deliver ends the wait that a ticket stands for. Every source of wake-ups uses it, except
// owner code that knows the fiber's state and may Wake it. A ticket that is late, spent,
// forged or from another scheduler is refused and changes nothing (I3, I5). The value that
// goes with the result is at the source.
func (c *Core) Deliver(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	h := c.slots.peek(uint32(t.ID))
	if h == nil || !h.waitsBy(t, 0) || r.Code-fiber.OK > fiber.Failed-fiber.OK || c.op != op.None {
		return c.deliverSlow(t, r)
	}
	h.value = r.Value
	c.passKnown(h, h.word|word(r.Code)<<codeShift, woken, uint32(t.ID)) // the code was Pending, 0
	c.run().join(h, t.ID)
	if invariants.On {
		c.verify()
	}
	return fiber.Woken
}

// Apply delivers what a waiting object decided, like Deliver. Its fast path serves a wake-up
// with From set: the object has removed the ticket itself, and it is the only one the fiber
// waits on. The zero Wakeup stands for no fiber.
func (c *Core) Apply(w fiber.Wakeup) fiber.Delivery {
	if w.Result.Code-fiber.OK > fiber.Failed-fiber.OK || c.op != op.None {
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
		c.verify()
	}
	return fiber.Woken
}

func (c *Core) applySlow(w fiber.Wakeup) fiber.Delivery {
	if w.IsZero() {
		return 0
	}
	return c.deliverSlow(w.Ticket, w.Result)
}

func (c *Core) deliverSlow(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	c.enter(op.Deliver)
	if r.Code-fiber.OK > fiber.Failed-fiber.OK {
		c.refuse(op.Deliver)
	}
	d := c.deliver(t, r)
	c.deliverPending()
	c.leave()
	return d
}

func (c *Core) deliver(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	d := c.deliverTo(t, r)
	if c.observer != nil && !t.IsZero() {
		c.observer.report(Transition{Op: op.Deliver, ID: t.ID, Seq: t.Seq, Answer: d.String()})
	}
	return d
}

// deliverTo checks the ticket in the order of docs/design.md: the first difference decides
// the answer.
func (c *Core) deliverTo(t fiber.Ticket, r fiber.Result) fiber.Delivery {
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
	}
	return c.end(h, t.ID, r, tokenAbandoned)
}

// deliverPending delivers what sources decided while an operation withdrew a wait or
// released a dead owner's locks, in the order of the decisions: those deliveries may decide
// more. The orders of links come last.
func (c *Core) deliverPending() {
	c.deliverWakeups()
	if len(c.orders) > 0 {
		c.carryOutOrders()
	}
}

func (c *Core) deliverWakeups() {
	for i := 0; i < len(c.wakeups); i++ {
		w := c.wakeups[i]
		c.deliver(w.Ticket, w.Result)
	}
	c.wakeups = c.wakeups[:0]
}
