package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
)

// endFiber is every death of a regular fiber: it releases what the fiber held, in a fixed
// order, then frees the slot, or retires it at its last generation.
func (c *Core) endFiber(h *header, slot uint32, e edge, result any, err error) {
	id := fiber.NewRegularID(slot, h.gen)
	if h.has(owed) {
		c.forfeit(h, fiber.Ticket{ID: id.ID(), Seq: h.seq})
		c.reg.forget(h)
	}
	c.reg.unkeep(h)
	died := fiber.Death{ID: id.ID(), Result: result, Err: err, Killed: e != exited || h.has(killPending)}
	if died.Killed {
		c.counts.Killed++
	}
	c.pass(h, e, slot) // dead before any hook runs
	if s := c.reg.ext(h); s != nil {
		defer c.mustNotPanic("a hook of the dead fiber") // until its slot is freed
		c.releaseOwned(s, id, result, err)
		died.Name, died.Cause = s.name, s.cause
		if s.links.Len() > 0 {
			c.Attachments().notifyLinks(s, died)
		}
		switch {
		case s.origin != nil:
			s.origin.notify(died, s.failed(died))
		case c.cfg.Unobserved != nil && s.failed(died):
			c.unobserved.add(died, s.cell, c.cfg.Unobserved)
		}
		c.reg.freeExt(h)
	} else if h.has(operates) {
		defer c.mustNotPanic("a hook of the dead fiber")
		c.abandonOperations(id)
	}
	c.slots.give(slot, h)
	c.counts.Ended++
}

// releaseOwned passes on what a dead fiber held: locks, operations, its result.
func (c *Core) releaseOwned(s *ext, id fiber.RegularID, result any, err error) {
	c.Attachments().releaseOwned(s, id.ID())
	c.abandonOperations(id)
	if s.grace {
		s.grace = false
		c.timers.stale()
	}
	if s.cell != nil {
		c.completeCell(s.cell, result, err)
	}
	if s.ended != nil {
		s.ended(result, err)
	}
	if s.main && c.ended == nil {
		c.ended = ErrMainReturned
	}
}

// abandonOperations abandons the operations of a dead fiber that it has not waited for.
func (c *Core) abandonOperations(id fiber.RegularID) {
	if c.io.OwnerIn(id.Index()) != 0 {
		c.io.AbandonOwned(id)
		c.wakeups = c.io.FailCells(c.wakeups)
		c.wakeups = c.io.Admit(c.wakeups)
	}
}
