package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
)

// The waits of this file are on one object and without a deadline: nearly all of them.
// Each operation is the general one, cut down to what is left to do for such a wait.

// ArmOn is Arm(fiber.OnQueue(), src) in a form that is cheap: a wait on one object
// without a deadline, cheapest on the object the fiber last waited on.
func (c *Core) ArmOn(src fiber.Source) fiber.Ticket {
	if src == nil {
		return c.Arm(fiber.OnQueue(), src) // says what is wrong
	}
	h, a := c.cur, src.Anchored()
	if h.word&(gateMask|owed|chained|holds) != running || c.seq == c.lastSeq ||
		c.inside != OpNone || !c.sources.has(a) {
		return c.Arm(fiber.OnQueue(), src)
	}
	if slot := a.Slot(); !h.has(kept) || *c.soleSlot(h) != slot {
		c.unkeep(h)
		c.sources.at(slot).refs++
		*c.soleSlot(h) = slot
	}
	return c.plainTicket(h, h.word&^kept|armed)
}

// BlockOn is ArmOn and Block in one step. The caller has found that the object would
// block, and parks the ticket there now: nothing is delivered in between.
func (c *Core) BlockOn(src fiber.Source) (fiber.Ticket, Blocking) {
	const rest = gateMask | owed | chained | doomed | fatal | alarmed | kept | holds
	h := c.cur
	if h.word&rest != running|kept || c.seq == c.lastSeq || c.inside != OpNone ||
		!identical(&c.sources.at(*c.soleSlot(h)).source, &src) {
		return c.ArmOn(src), c.Block()
	}
	c.seq++
	h.seq = c.seq
	c.passKnown(h, plainWait(h.word&^kept), parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
	return fiber.Ticket{ID: c.curID, Seq: c.seq}, Parked
}

// Apply does what an object decided: it delivers the result to the ticket, like
// Deliver. It takes less where the object vouches (Wakeup.From) that it has removed the
// ticket itself and it is all that the fiber waits on. The zero Wakeup is for nobody.
func (c *Core) Apply(w fiber.Wakeup) fiber.Delivery {
	if w.Result.Code-fiber.OK > fiber.Failed-fiber.OK || c.inside != OpNone {
		return c.applyOtherwise(w)
	}
	h := c.slots.peek(uint32(w.Ticket.ID))
	if h == nil || !h.waitsBy(w.Ticket, w.From) && !c.waitsAside(h, w.Ticket, w.From) {
		return c.applyOtherwise(w)
	}
	ended := h.word | word(w.Result.Code)<<codeShift // in place of Pending
	if w.From != 0 {
		ended |= owed // until it is claimed
	}
	h.value = w.Result.Value
	c.passKnown(h, ended, woken, uint32(w.Ticket.ID))
	c.join(h, w.Ticket.ID)
	if invariants.On {
		c.verify()
	}
	return fiber.Woken
}

func (c *Core) applyOtherwise(w fiber.Wakeup) fiber.Delivery {
	if w.IsZero() {
		return 0
	}
	return c.deliverOtherwise(w.Ticket, w.Result)
}

// waitsAside is waitsBy of a fiber with a side record.
func (c *Core) waitsAside(h *header, t fiber.Ticket, source uint32) bool {
	if h.seq != t.Seq || h.gen != t.ID.Generation() || h.word&singleMask != singleWaits|hasSide {
		return false
	}
	s := c.sides.all[h.ref-1]
	return s.source == source && len(s.sources) == 0
}

// Claim collects how the executing context's last wait ended. A value that came with
// it is at its source, under the ticket. Claim it once, when the fiber runs again.
func (c *Core) Claim() (fiber.Ticket, fiber.Result) {
	h := c.cur
	if h.word&(gateMask|chained) != running || c.inside != OpNone || h.has(hasSide) && !c.keepsSole(h) {
		return c.claimOtherwise()
	}
	if h.has(owed) {
		h.word ^= owed | kept
	}
	return fiber.Ticket{ID: c.curID, Seq: h.seq}, fiber.Result{Code: h.code(), Value: h.value}
}

// keepsSole tells whether the side record outlasts the wait and names a single source.
func (c *Core) keepsSole(h *header) bool {
	s := c.sides.all[h.ref-1]
	return s.keep && len(s.sources) == 0
}
