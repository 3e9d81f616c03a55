package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
)

// Ending is how a fiber ended.
type Ending struct {
	ID     fiber.ID
	Result any
	// Err is nil after a plain return: else the guest's error, a *PanicError, or an
	// error wrapping ErrKilled.
	Err error
}

// SetResult sets what the current fiber's end will report. Finish and KillCurrent use
// it; a kill or an unrecovered panic overrides it.
func (c *Core) SetResult(result any, err error) {
	c.enter(OpExit)
	c.executing(OpExit)
	s := c.keepSide(c.cur)
	s.result, s.err = result, err
	c.leave()
}

// KillCurrent (Exit) ends the current fiber: it has returned, panicked, or unwound.
// Its join cell is completed, its locks and tokens follow their owner-death policy,
// its slot is free. Every trampoline above it must have been released.
func (c *Core) KillCurrent() Ending {
	c.enter(OpExit)
	h := c.cur
	if h.word&(stateMask|armed|latched|chained) != running {
		c.refuse(OpExit)
	}
	end := Ending{ID: c.Current()}
	if s := c.sideOf(h); s != nil {
		end.Result, end.Err = s.ending(h.has(doomed))
	}
	c.leaveCPU()
	c.bury(h, end.ID.Index(), exited, end.Result, end.Err)
	c.deliverPending()
	c.leave()
	return end
}

func (s *side) ending(doomed bool) (any, error) {
	if doomed {
		return nil, s.cause
	}
	return s.result, s.err
}

// Exit is SetResult and KillCurrent.
func (c *Core) Exit(result any, err error) Ending {
	if result != nil || err != nil {
		c.SetResult(result, err)
	}
	return c.KillCurrent()
}

// bury is every death of a regular fiber: what the dying fiber still holds is handed
// on in a fixed order, then the slot is free, or retired at its last generation.
func (c *Core) bury(h *header, slot uint32, e edge, result any, err error) {
	id := fiber.NewRegularID(slot, h.gen)
	if h.has(owed) {
		c.forfeit(h, fiber.Ticket{ID: id.ID(), Seq: h.seq})
		c.forget(h)
	}
	c.pass(h, e, slot)
	if s := c.sideOf(h); s != nil {
		c.settleEstate(s, id, result, err)
		c.freeSide(h)
	}
	if e != exited || h.has(doomed) {
		c.counts.Killed++
	}
	c.counts.Ended++
	if id == c.main {
		c.mainEnded = true
	}
	if c.slots.give(slot, h) {
		c.counts.Retired++
	}
}

// settleEstate passes on what a dead fiber held: locks, operations, its result.
func (c *Core) settleEstate(s *side, id fiber.RegularID, result any, err error) {
	for i := len(s.owned) - 1; i >= 0; i-- {
		c.wakeups = s.owned[i].OwnerDied(id.ID(), c.wakeups)
	}
	if s.tokens {
		c.io.AbandonOwned(id)
		c.wakeups = c.io.FailCells(c.wakeups)
	}
	if s.grace {
		s.grace = false
		c.staleTimer()
	}
	if s.cell != nil {
		c.completeCell(s, result, err)
	}
	if s.ended != nil {
		s.ended(result, err)
	}
}

func (c *Core) completeCell(s *side, result any, err error) {
	var done error
	if c.wakeups, done = s.cell.Complete(result, err, c.wakeups); done != nil {
		c.broken(OpExit, "I12", "the join cell was completed before its fiber ended: %v", done)
	}
}

// Own registers something the current fiber now owns: the hook is told if the fiber
// dies before Disown. Locks are owned by the root, whichever member of its chain
// took them.
func (c *Core) Own(hook fiber.OwnerHook) {
	c.enter(OpOwn)
	c.executing(OpOwn)
	s := c.keepSide(c.cur)
	s.owned = append(s.owned, hook)
	c.leave()
}

// Disown takes back one Own of the current fiber, latest first.
func (c *Core) Disown(hook fiber.OwnerHook) {
	c.enter(OpOwn)
	c.executing(OpOwn)
	if s := c.sideOf(c.cur); s != nil {
		for i := len(s.owned) - 1; i >= 0; i-- {
			if s.owned[i] == hook {
				s.owned = append(s.owned[:i], s.owned[i+1:]...)
				break
			}
		}
	}
	c.leave()
}
