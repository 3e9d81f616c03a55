package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Deliver ends the wait a ticket stands for. It is how every source but owner code
// that knows the state wakes a fiber, and the only safe way: a ticket that is late,
// spent, forged or foreign is refused and changes nothing (I3, I5). The value that
// goes with the result is at the source.
func (c *Core) Deliver(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	h := c.slots.peek(uint32(t.ID))
	if h == nil || !h.waitsBy(t, 0) || r.Code-fiber.OK > fiber.Failed-fiber.OK || c.inside != OpNone {
		return c.deliverOtherwise(t, r)
	}
	h.value = r.Value
	c.passKnown(h, h.word|word(r.Code)<<codeShift, woken, uint32(t.ID)) // in place of Pending
	c.join(h, t.ID)
	if invariants.On {
		c.verify()
	}
	return fiber.Woken
}

func (c *Core) deliverOtherwise(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	c.enter(OpDeliver)
	if r.Code-fiber.OK > fiber.Failed-fiber.OK {
		c.refuse(OpDeliver)
	}
	d := c.deliver(t, r)
	c.deliverPending()
	c.leave()
	return d
}

// singleWaits is what the word of a fiber, as far as singleMask goes, says in a wait that
// nothing but its ticket can end, and one source at most: the gate's part is in it.
const (
	singleMask  = gateMask | kindMask | codeMask | external | hasSide | onCallee | timed
	singleWaits = blocked | word(fiber.Queue)<<kindShift
)

// waitsBy tells whether a regular fiber is blocked by this very ticket and has registered
// nothing (source 0), or nothing but with this source, which knows: the common cases, for
// which waking is all there is to do. A trampoline's slot is beyond any regular one.
func (h *header) waitsBy(t fiber.Ticket, source uint32) bool {
	return h.seq == t.Seq && h.gen == t.ID.Generation() && h.ref == source && h.word&singleMask == singleWaits
}

func (c *Core) deliver(t fiber.Ticket, r fiber.Result) fiber.Delivery {
	d := c.hand(t, r)
	if c.watch != nil && !t.IsZero() {
		c.report(Transition{Op: OpDeliver, ID: t.ID, Seq: t.Seq, Answer: d.String()})
	}
	return d
}

// hand gives the result to the fiber whose wait the ticket stands for.
func (c *Core) hand(t fiber.Ticket, r fiber.Result) fiber.Delivery {
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
	if c.hasSources(h) {
		h.set(owed)
	}
	return c.end(h, t.ID, r, tokenAbandoned)
}

// end is the one end of every wait but Disarm's: the registrations go first, then
// the result is recorded, then the fiber is latched or woken.
func (c *Core) end(h *header, id fiber.ID, r fiber.Result, fate tokenFate) fiber.Delivery {
	c.endWait(h, id, fate)
	h.conclude(r)
	if !h.has(owed) {
		c.forget(h)
	}
	if h.word&(stateMask|armed) == running|armed {
		h.word = h.word&^armed | latched
		c.mirror(h)
		return fiber.Latched
	}
	c.rouse(h, id) // who is armed and blocked is the gate's to find
	return fiber.Woken
}

// endWait withdraws everything the wait registered: sources, deadline, token, the
// count of external waits (I10).
func (c *Core) endWait(h *header, id fiber.ID, fate tokenFate) {
	t := fiber.Ticket{ID: id, Seq: h.seq}
	if h.has(external) {
		h.clear(external)
		c.foreign--
	}
	c.clearTimer(h)
	switch h.kind() {
	case fiber.Queue:
		c.withdraw(h, t)
	case fiber.IO:
		c.endAwait(h, fate)
	}
}

// rouse lets a blocked fiber run again. A trampoline is never queued: its root is (I4).
func (c *Core) rouse(h *header, id fiber.ID) {
	if h.has(tramp) {
		c.unparkChain(id)
		return
	}
	c.pass(h, woken, id.Index())
	c.join(h, id)
}

// Wake lets a Blocked fiber run again, by ID: for owner code that knows it is Blocked,
// not on its own callee and not on an object. Everybody else delivers a ticket.
func (c *Core) Wake(id fiber.ID) {
	c.enter(OpWake)
	h := c.find(id)
	if h == nil || h.state() != fiber.Blocked || h.has(onCallee) {
		c.refuse(OpWake)
	}
	if c.hasSources(h) {
		c.refuseAs(OpWake, rule.I11, "%v waits on an object, which decides whom it wakes and with what: deliver what it says", id)
	}
	c.end(h, id, fiber.Result{Code: fiber.OK}, tokenAbandoned)
	if c.watch != nil {
		c.report(Transition{Op: OpWake, ID: id})
	}
	c.deliverPending()
	c.leave()
}

// deliverPending hands out what sources decided while an operation withdrew a wait or
// told an owner's death. Those deliveries may decide more; the order is that of the
// decisions. What links decided comes after it.
func (c *Core) deliverPending() {
	c.deliverWakeups()
	if len(c.orders) > 0 {
		c.obeyOrders()
	}
}

func (c *Core) deliverWakeups() {
	for i := 0; i < len(c.wakeups); i++ {
		w := c.wakeups[i]
		c.deliver(w.Ticket, w.Result)
	}
	c.wakeups = c.wakeups[:0]
}

// find is the header of a living fiber of either pool, or nil.
func (c *Core) find(id fiber.ID) *header {
	if id.IsTrampoline() {
		return c.tramps.find(id)
	}
	return c.slots.find(id)
}

// State is a fiber's scheduling state; Dead for one that has ended or never was.
func (f Inspect) State(id fiber.ID) fiber.State {
	c := f.core
	if h := c.find(id); h != nil {
		return h.state()
	}
	return fiber.Dead
}

// Lookup turns the wire form into the ID of the fiber that now lives in the slot, or
// ErrGone. A raw value names a slot: whoever stored it may have meant an earlier
// fiber, so nothing is woken by it.
func (f Inspect) Lookup(r fiber.Raw) (fiber.ID, error) {
	c := f.core
	id := c.generationOf(r)
	if c.find(id) == nil {
		return 0, ErrGone
	}
	return id, nil
}

func (c *Core) generationOf(r fiber.Raw) fiber.ID {
	switch slot := r.Index(); {
	case r.IsTrampoline() && slot < uint32(len(c.tramps.all)):
		return fiber.NewTrampolineID(slot, c.tramps.all[slot].gen).ID()
	case !r.IsTrampoline() && slot < c.slots.used:
		return fiber.NewRegularID(slot, c.slots.at(slot).gen).ID()
	}
	return 0
}
