package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
)

// endFiber is every death of a regular fiber but that of KillCurrent's fast path, which holds
// nothing. It releases what the fiber held, then frees the slot, or retires it at its last
// generation. The order is part of the contract, because hooks see it:
//
//  1. a value or lock that a source assigned and that was not claimed is forfeited (I12), while
//     the fiber still refers to the source;
//  2. the kept source is dropped; a lock that only a flag stands for moves into the list of
//     owned locks first;
//  3. the state becomes Dead, so that no hook finds the fiber alive;
//  4. contexts, locks, operations, join cell and Ended (releaseOwned), then the links, which may
//     order the cancellation of other fibers;
//  5. the failure is kept for a reader, or reported;
//  6. the record and the slot are free: until then no later fiber can live in the slot.
//
// The wake-ups and orders that this decides are pending when it returns: the caller reports the
// transition and then delivers them. A hook that panics leaves a fiber half released, so the
// scheduler is poisoned (rule HOOK-RETURNS).
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
	passSlow(c, h, e, slot) // dead before any hook runs
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
		case (c.cfg.Unobserved != nil || c.groups != nil) && s.failed(died):
			c.groups.of(died.ID).keepFailure(c, died, s.cell)
		}
		c.reg.freeExt(h)
	} else if h.has(operates) {
		defer c.mustNotPanic("a hook of the dead fiber")
		c.abandonOperations(id)
	}
	if c.groups != nil {
		c.groups.leave(slot)
	}
	c.slots.dropPayload(h)
	c.slots.give(slot, h)
	c.counts.Ended++
}

// releaseOwned ends the contexts of a dead fiber, and passes on what it held: locks, operations,
// its result. Locks come before the result, so that their waiters are woken before those of the join
// cell. The timer of a grace period stays in the wheel, stale. The first main fiber that ends ends
// the run, with its own error if it failed; one that is killed because the run ends has not ended it.
func (c *Core) releaseOwned(s *ext, id fiber.RegularID, result any, err error) {
	c.finishContexts(s, err)
	c.Attachments().releaseOwned(s, id.ID())
	c.abandonOperations(id)
	if s.grace {
		s.grace = false
		c.timers.stale()
	}
	if s.paused {
		s.paused = false
		c.run().countPaused(-1)
	}
	if s.cell != nil {
		c.completeCell(s.cell, result, err)
	}
	if s.ended != nil {
		c.Choices().touchedAll(id.ID())
		s.ended(result, err)
	}
	if s.main {
		c.groups.of(id.ID()).endByMain(c, id, err)
	}
}

// abandonOperations abandons the operations of a dead fiber: devices receive their tokens at the
// next poll, cells attached to them fail, and a place that a result occupied may admit a fiber
// that waits for room. Most fibers have none, and then it is one load.
func (c *Core) abandonOperations(id fiber.RegularID) {
	if c.io.OwnerIn(id.Index()) != 0 {
		c.io.AbandonOwned(id)
		c.wakeups = c.io.FailCells(c.wakeups)
		c.wakeups = c.io.Admit(c.wakeups)
	}
}
