package scheduler

import "github.com/selvage-dev/selvage/fiber"

// find is the header of a living fiber of either pool, or nil.
func (c *Core) find(id fiber.ID) *header {
	if id.IsTrampoline() {
		return c.tramps.find(id)
	}
	return c.slots.find(id)
}

// executing is the context that runs: the top of the current chain. It refuses the operation
// if no fiber is current.
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

// Current is the Running root, or 0.
func (c *Core) Current() fiber.ID {
	if c.cur.gen == 0 { // the placeholder for no fiber, or for a poisoned scheduler
		return 0
	}
	return c.curID
}

// curSlot is the slot of the root that is current, or was last.
func (c *Core) curSlot() uint32 { return uint32(c.curID) }

// Executing is the context that runs VM code: the innermost trampoline of the current chain,
// else the current fiber, else 0.
func (f Inspect) Executing() fiber.ID { return f.core.executingID() }

// Armed tells whether the executing context has a wait armed or latched.
func (f Inspect) Armed() bool {
	c := f.core
	h := c.cur
	if h.bars() {
		h, _ = c.chains().topOf(h)
	}
	return h.has(armed | latched) // any other root mirrors the top of its chain
}

// State is a fiber's scheduling state; Dead for one that has ended or never existed.
func (f Inspect) State(id fiber.ID) fiber.State {
	if h := f.core.find(id); h != nil {
		return h.state()
	}
	return fiber.Dead
}

// Lookup turns the wire form into the ID of the fiber that now lives in the slot. A raw value
// names a slot, perhaps an earlier fiber's, so nothing is woken by it. Errors: ErrGone.
func (f Inspect) Lookup(r fiber.Raw) (fiber.ID, error) {
	id := f.core.inSlot(r)
	if f.core.find(id) == nil {
		return 0, ErrGone
	}
	return id, nil
}

// inSlot is the ID of the last fiber that lived in the slot; 0 if the slot was never used.
func (c *Core) inSlot(r fiber.Raw) fiber.ID {
	switch slot := r.Index(); {
	case r.IsTrampoline() && slot < uint32(len(c.tramps.all)):
		return fiber.NewTrampolineID(slot, c.tramps.all[slot].gen).ID()
	case !r.IsTrampoline() && slot < c.slots.used:
		return fiber.NewRegularID(slot, c.slots.at(slot).gen).ID()
	}
	return 0
}
