package scheduler

import "github.com/selvage-dev/selvage/fiber"

// find is the header of a living fiber of either pool, or nil: the ID names no slot, its
// generation is over, or its fiber is dead (I5). Headers never move, so the pointer stays
// valid memory; it is this fiber's until the next operation. O(1), and safe with any bits in
// id.
func (c *Core) find(id fiber.ID) *header {
	if id.IsTrampoline() {
		return c.tramps.find(id)
	}
	return c.slots.find(id)
}

// executing is the context that runs: the top of the current chain. It refuses the operation
// if no fiber is current. In a poisoned scheduler none is, so the refusal repeats the
// violation. O(1): the root's record has the index of the top.
func (c *Core) executing(call Op) (*header, fiber.ID) {
	h := c.cur
	if h.word&stateMask != running {
		c.refuse(call)
	}
	if h.has(chained) {
		return c.chains().topOf(h)
	}
	return h, c.curID
}

// executingID is executing for errors and reports, which are made while no fiber may be
// current and must not refuse: it is 0 then.
func (c *Core) executingID() fiber.ID {
	switch {
	case c.cur.word&stateMask != running:
		return 0
	case c.cur.has(chained):
		_, id := c.chains().topOf(c.cur)
		return id
	}
	return c.Current()
}

// Current is the Running root, or 0: between slices, while the root is lent or pinned under a
// pump, and in a poisoned scheduler.
func (c *Core) Current() fiber.ID {
	// Generations start at 1, so only the placeholders, for no fiber and for a poisoned
	// scheduler, have generation 0. curID does not tell: it still names the fiber that was
	// current last.
	if c.cur.gen == 0 {
		return 0
	}
	return c.curID
}

// curSlot is the slot of the root that is current, or was last: fast paths use it after they
// have made no fiber current. The ID of a root has bit 31 clear, so its low half is the slot.
func (c *Core) curSlot() uint32 { return uint32(c.curID) }

// Executing is the context that runs VM code and that operations act for: the innermost
// trampoline of the current chain, else the current fiber, else 0.
func (f Inspect) Executing() fiber.ID { return f.core.executingID() }

// Armed tells whether the executing context has a wait armed or latched, so that only Block
// and Disarm are allowed (I13); false if no fiber is current.
func (f Inspect) Armed() bool {
	c := f.core
	h := c.cur
	if h.bars() {
		h, _ = c.chains().topOf(h)
	}
	// Any other root mirrors the top of its chain; the placeholder for no fiber has no flags.
	return h.has(armed | latched)
}

// State is a fiber's scheduling state; Dead for one that has ended, moved out, or never
// existed.
func (f Inspect) State(id fiber.ID) fiber.State {
	if h := f.core.find(id); h != nil {
		return h.state()
	}
	return fiber.Dead
}

// Lookup turns the wire form into the ID of the fiber that now lives in the slot. A raw value
// names a slot, perhaps for an earlier fiber, so nothing may be woken by it: the caller
// checks by other means that the fiber is the one it means. Errors: ErrGone, for any bits, with the ID of
// the last fiber that lived in the slot; 0 if none did.
func (f Inspect) Lookup(r fiber.Raw) (fiber.ID, error) {
	id := f.core.inSlot(r)
	if f.core.find(id) == nil {
		return id, ErrGone
	}
	return id, nil
}

// inSlot is the ID of the last fiber that lived in the slot, alive or not; 0 if the slot was
// never used. The bounds come first, because r may be input from outside.
func (c *Core) inSlot(r fiber.Raw) fiber.ID {
	switch slot := r.Index(); {
	case r.IsTrampoline() && slot < uint32(len(c.tramps.all)):
		return fiber.NewTrampolineID(slot, c.tramps.all[slot].gen).ID()
	case !r.IsTrampoline() && slot < c.slots.used:
		return fiber.NewRegularID(slot, c.slots.at(slot).gen).ID()
	}
	return 0
}
