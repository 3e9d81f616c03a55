package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// sourceTable lets a parked fiber remember its source in four bytes. A source has a
// slot while any fiber refers to it, and the slot counts those fibers. A fiber refers
// to the sources of its wait, and to a single one until it waits elsewhere or dies:
// most wait on the same object again.
type sourceTable struct {
	entries []sourceEntry // entry i-1 is slot i
	free    uint32
}

type sourceEntry struct {
	source fiber.Source
	anchor *fiber.Anchor   // the source's
	lock   fiber.OwnerHook // the source as a lock, once a fiber has owned it as its kept one
	refs   uint32
	next   uint32
}

func (t *sourceTable) at(slot uint32) *sourceEntry { return &t.entries[slot-1] }

// knows tells whether a source's note of its slot is from this table: schedulers that
// were given the same number cannot tell their sources apart otherwise.
func (t *sourceTable) knows(a *fiber.Anchor) bool {
	return a.Slot() == 0 || t.has(a)
}

// has tells whether the source has a slot in this table.
func (t *sourceTable) has(a *fiber.Anchor) bool {
	if a == nil { // a nil channel
		return false
	}
	slot := a.Slot()
	return slot-1 < uint32(len(t.entries)) && t.entries[slot-1].anchor == a
}

func (t *sourceTable) hold(src fiber.Source) uint32 {
	a := src.Anchored()
	slot := a.Slot()
	if slot == 0 {
		slot = t.newSlot()
		t.at(slot).source, t.at(slot).anchor = src, a
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
	e.anchor.SetSlot(0)
	*e = sourceEntry{next: t.free}
	t.free = slot
}

// identical tells whether two interface values, of the same interface type, are the same
// two words: then they are equal, in far less time than == takes, which asks the runtime.
// If they are not, they may still be equal.
func identical[I any](a, b *I) bool {
	return *(*[2]uintptr)(unsafe.Pointer(a)) == *(*[2]uintptr)(unsafe.Pointer(b))
}

// soleSlot is where a fiber keeps the slot of the only source of its wait: in its header,
// or in its side record if it has one. Of a wait on several the record has them all.
func (c *Core) soleSlot(h *header) *uint32 {
	if h.has(hasSide) {
		return &c.sides.all[h.ref-1].source
	}
	return &h.ref
}

// sole is the slot of the fiber's only source: of its Queue wait, until the result is
// claimed, or the one it has kept; else 0.
func (c *Core) sole(h *header) uint32 {
	if h.kind() == fiber.Queue || h.has(kept|hasSide) {
		return *c.soleSlot(h)
	}
	return 0
}

// attach registers the sources of the wait being armed.
func (c *Core) attach(h *header, sources []fiber.Source) {
	if len(sources) == 1 {
		*c.soleSlot(h) = c.sources.hold(sources[0])
		return
	}
	s := c.needSide(h)
	for _, src := range sources {
		s.sources = append(s.sources, c.sources.hold(src))
	}
}

// sourceSlots appends the slots that the fiber refers to.
func (c *Core) sourceSlots(h *header, dst []uint32) []uint32 {
	if slot := c.sole(h); slot != 0 {
		dst = append(dst, slot)
	}
	if s := c.sideOf(h); s != nil {
		dst = append(dst, s.sources...)
	}
	return dst
}

func (c *Core) hasSources(h *header) bool {
	s := c.sideOf(h)
	return c.sole(h) != 0 || s != nil && len(s.sources) > 0
}

// withdraw ends the ticket's registrations with every source of the wait (I10).
// Whom that lets go on is added to the pending wakeups.
func (c *Core) withdraw(h *header, t fiber.Ticket) {
	if slot := c.sole(h); slot != 0 {
		c.wakeups = c.sources.at(slot).source.Withdraw(t, c.wakeups)
	} else if s := c.sideOf(h); s != nil {
		for _, slot := range s.sources {
			c.wakeups = c.sources.at(slot).source.Withdraw(t, c.wakeups)
		}
	}
}

// forget drops the fiber's hold on the sources of its last wait: nothing can be
// assigned to it any more.
func (c *Core) forget(h *header) {
	h.clear(owed)
	c.dropSole(h)
	if s := c.sideOf(h); s != nil {
		for _, slot := range s.sources {
			c.sources.drop(slot)
		}
		s.sources = s.sources[:0]
		c.dropSide(h)
	}
}

func (c *Core) dropSole(h *header) {
	if slot := c.soleSlot(h); *slot != 0 {
		c.sources.drop(*slot)
		*slot = 0
	}
}

// unkeep drops the source that the fiber has kept from its last wait.
func (c *Core) unkeep(h *header) {
	if h.has(holds) {
		c.listHeld(h)
	}
	if h.has(kept) {
		h.clear(kept)
		c.dropSole(h)
	}
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
