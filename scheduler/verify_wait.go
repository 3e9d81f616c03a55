package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// What verify finds a side record to be.
const (
	sideUnknown uint8 = iota
	sideFree
	sideUsed
)

// verifyFree: a dead slot of either pool is free once, or retired for ever (I5), and
// what is free is nobody's.
func (c *Core) verifyFree(n *census) {
	free := 0
	for at := c.slots.free; at != 0; at = c.slots.at(at - 1).ref {
		if free++; at > c.slots.used || free > int(c.slots.used) {
			c.broken(c.op, rule.I5, "the list of free slots has no end")
		}
		if s := c.slots.at(at - 1).state(); s != fiber.Dead {
			c.broken(c.op, rule.I5, "f%d is free and %v", at-1, s)
		}
	}
	n.retired = int(c.slots.used) - free - c.Inspect().Live()
	for _, slot := range c.tramps.free {
		if c.tramps.all[slot].state() != fiber.Dead {
			c.broken(c.op, rule.I5, "t%d is free and %v", slot, c.tramps.all[slot].state())
		}
	}
	for _, i := range c.reg.exts.free {
		if n.sideUse[i-1] != sideUnknown {
			c.broken(c.op, rule.I12, "side record %d is free twice", i)
		}
		n.sideUse[i-1] = sideFree
	}
}

// verifyOperations: whoever has operations under way lives here, and its end will look at
// them (I12).
func (c *Core) verifyOperations(h *header, slot uint32) {
	o := c.io.OwnerIn(slot)
	if o != 0 && (h.state() == fiber.Dead || o != fiber.NewRegularID(slot, h.gen) || !h.has(operates)) {
		c.broken(c.op, rule.I12, "%v has operations under way, and does not live here or leaves them behind", o)
	}
}

// verifyHeader: what the other checks take for granted.
func (c *Core) verifyHeader(n *census, h *header, id fiber.ID) {
	if h.gen == 0 || h.seq&fiber.MaxSeq > c.seq&fiber.MaxSeq {
		c.broken(c.op, rule.I5, "%v is in wait %d of %d", id, h.seq&fiber.MaxSeq, c.seq&fiber.MaxSeq)
	}
	if !h.has(hasExt) {
		return
	}
	if h.ref == 0 || h.ref > uint32(len(n.sideUse)) || n.sideUse[h.ref-1] != sideUnknown {
		c.broken(c.op, rule.I12, "%v refers to side record %d, which is no record, free, or another's", id, h.ref)
	}
	n.sideUse[h.ref-1] = sideUsed
}

// verifyWait: what the wait registered is there exactly while it waits (I10), and only
// the executing context has a wait armed (I13).
func (c *Core) verifyWait(n *census, h *header, id fiber.ID) {
	mirrors := c.cur == h && h.has(chained) || h.bars()
	if h.has(armed) && h.has(latched) && !h.bars() || h.has(armed|latched) && !mirrors && id != c.executingID() {
		c.broken(c.op, rule.I13, "%v is %v with a wait armed or latched but not executing", id, h.state())
	}
	waits := h.waits()
	if h.has(timed) {
		n.timed++
	}
	if h.has(external) {
		n.external++
	}
	if !waits && h.has(timed|external) {
		c.broken(c.op, rule.I10, "%v does not wait; a live deadline: %v, counted as external: %v", id, h.has(timed), h.has(external))
	}
	s := c.reg.ext(h)
	if s != nil && s.grace {
		n.timed++
	}
	if waits {
		c.verifyReason(h, id, s)
	}
	if h.has(kept) && (waits || h.has(owed|tramp) || c.reg.sole(h) == 0) {
		c.broken(c.op, rule.I10, "%v keeps the source of its last wait in place of something else", id)
	}
	if h.has(holds) && (!h.has(kept) || c.reg.sources.at(*c.reg.soleSlot(h)).lock == nil) {
		c.broken(c.op, rule.I12, "%v owns the source that it has kept, which is none, or no lock", id)
	}
	if h.has(owed) && (waits || h.kind() != fiber.Queue || !c.reg.hasSources(h)) {
		c.broken(c.op, rule.I12, "%v has a result to claim, but nobody can have assigned one", id)
	}
	c.verifySources(n, h, id, waits)
}

// verifyReason: a wait has a reason, and whoever is to end it knows of it.
func (c *Core) verifyReason(h *header, id fiber.ID, s *ext) {
	if h.code() != fiber.Pending {
		c.broken(c.op, rule.I10, "%v waits and its wait has ended: %v", id, h.code())
	}
	if h.kind() != fiber.IO && s != nil && s.token != 0 {
		c.broken(c.op, rule.I10, "%v waits for %v and is in the waiter map of operation %d", id, h.kind(), s.token)
	}
	switch h.kind() {
	case fiber.NoWait:
		c.broken(c.op, rule.I10, "%v waits for nothing", id)
	case fiber.Timer:
		if !h.has(timed) {
			c.broken(c.op, rule.I10, "%v waits for an instant that is not in the wheel", id)
		}
		if c.reg.hasSources(h) {
			c.broken(c.op, rule.I10, "%v waits for an instant and nothing else, and is registered with sources", id)
		}
	case fiber.IO:
		if c.io.Owner(c.reg.tokenOf(h)).ID() != id {
			c.broken(c.op, rule.I8, "%v waits for an operation that is not its own", id)
		}
	}
}

// verifySources: only a Queue wait that is open, or whose result may still be
// collected, refers to sources, and no source holds a ticket that is spent.
func (c *Core) verifySources(n *census, h *header, id fiber.ID, waits bool) {
	t := fiber.Ticket{ID: id, Seq: h.seq}
	for _, slot := range c.reg.slotsOf(h, nil) {
		if slot == 0 || slot > uint32(len(n.sourceRefs)) || c.reg.sources.at(slot).source == nil ||
			c.reg.sources.at(slot).source.Anchored().Slot() != slot {
			c.broken(c.op, rule.I10, "%v refers to source slot %d, which is free", id, slot)
		}
		n.sourceRefs[slot-1]++
		if !waits && !h.has(owed|kept) {
			c.broken(c.op, rule.I10, "%v refers to source slot %d after its wait", id, slot)
		}
		if src := c.reg.sources.at(slot).source; !waits && src.Holds(t) {
			c.broken(c.op, rule.I10, "%s still holds %v, whose wait has ended", nameOf(src), t)
		}
	}
}

// verifyPins: what lies under pumps are Running roots in native calls, each once, the
// members of their chains Running but for the innermost, which may wait (I2).
func (c *Core) verifyPins(n *census) {
	for _, p := range c.pins {
		slot := p.id.Index()
		if slot >= c.slots.used || p.root != c.slots.at(slot) || n.pinned[slot] || !p.root.bars() {
			c.broken(c.op, rule.I2, "%v is pinned twice, or is in no native call that could be", p.id)
		}
		n.pinned[slot] = true
	}
}
