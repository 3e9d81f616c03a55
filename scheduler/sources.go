package scheduler

import "github.com/selvage-dev/selvage/fiber"

// sourceTable lets a parked fiber remember its source in four bytes. A source has a
// slot while any wait refers to it, and the slot counts those waits.
type sourceTable struct {
	entries []sourceEntry // entry i-1 is slot i
	free    uint32
}

type sourceEntry struct {
	source fiber.Source
	refs   uint32
	next   uint32
}

func (t *sourceTable) at(slot uint32) *sourceEntry { return &t.entries[slot-1] }

// knows tells whether a source's note of its slot is from this table: schedulers that
// were given the same number cannot tell their sources apart otherwise.
func (t *sourceTable) knows(a *fiber.Anchor) bool {
	slot := a.Slot()
	if slot == 0 {
		return true
	}
	if slot > uint32(len(t.entries)) || t.at(slot).source == nil {
		return false
	}
	return t.at(slot).source.Anchored() == a
}

func (t *sourceTable) hold(src fiber.Source) uint32 {
	a := src.Anchored()
	slot := a.Slot()
	if slot == 0 {
		slot = t.newSlot()
		t.at(slot).source = src
		a.SetSlot(slot)
	}
	t.at(slot).refs++
	return slot
}

func (t *sourceTable) newSlot() uint32 {
	if t.free == 0 {
		t.entries = append(t.entries, sourceEntry{})
		return uint32(len(t.entries))
	}
	slot := t.free
	t.free = t.at(slot).next
	return slot
}

func (t *sourceTable) drop(slot uint32) {
	e := t.at(slot)
	if e.refs--; e.refs > 0 {
		return
	}
	e.source.Anchored().SetSlot(0)
	*e = sourceEntry{next: t.free}
	t.free = slot
}

// attach registers the sources of the wait being armed.
func (c *Core) attach(h *header, sources []fiber.Source) {
	if len(sources) == 1 && !h.has(hasSide) {
		h.ref = c.sources.hold(sources[0])
		return
	}
	s := c.needSide(h)
	for _, src := range sources {
		s.sources = append(s.sources, c.sources.hold(src))
	}
}

// sourceSlots appends the slots of the fiber's current or unclaimed Queue wait.
func (c *Core) sourceSlots(h *header, dst []uint32) []uint32 {
	if s := c.sideOf(h); s != nil {
		return append(dst, s.sources...)
	}
	if h.kind() == fiber.Queue && h.ref != 0 {
		return append(dst, h.ref)
	}
	return dst
}

func (c *Core) hasSources(h *header) bool {
	if s := c.sideOf(h); s != nil {
		return len(s.sources) > 0
	}
	return h.kind() == fiber.Queue && h.ref != 0
}

// withdraw ends the ticket's registrations with every source of the wait (I10).
// Whom that lets go on is added to the pending wakeups.
func (c *Core) withdraw(h *header, t fiber.Ticket) {
	if s := c.sideOf(h); s != nil {
		for _, slot := range s.sources {
			c.wakeups = c.sources.at(slot).source.Withdraw(t, c.wakeups)
		}
		return
	}
	if h.ref != 0 {
		c.wakeups = c.sources.at(h.ref).source.Withdraw(t, c.wakeups)
	}
}

// forget drops the fiber's hold on the sources of its last wait: nothing can be
// assigned to it any more.
func (c *Core) forget(h *header) {
	h.clear(owed)
	if h.kind() != fiber.Queue {
		return
	}
	s := c.sideOf(h)
	if s == nil {
		if h.ref != 0 {
			c.sources.drop(h.ref)
			h.ref = 0
		}
		return
	}
	for _, slot := range s.sources {
		c.sources.drop(slot)
	}
	s.sources = s.sources[:0]
	c.dropSide(h)
}

// forfeit tells the sources of the last wait that its fiber died before it
// collected what they assigned to it (I12).
func (c *Core) forfeit(h *header, t fiber.Ticket) {
	var slots [4]uint32
	for _, slot := range c.sourceSlots(h, slots[:0]) {
		if a, ok := c.sources.at(slot).source.(fiber.Assigner); ok {
			c.wakeups = a.Forfeit(t, c.wakeups)
		}
	}
	c.counts.Lost++
	if c.cfg.Lost != nil {
		c.cfg.Lost(t)
	}
}
