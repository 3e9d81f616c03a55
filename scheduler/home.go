package scheduler

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// home is where a moved fiber was spawned, if anybody there hears how it ends: its join
// cell and its Ended belong to that scheduler's owner. The scheduler in which it ends tells
// the inbox there.
type home struct {
	core *Core
	id   fiber.ID // the fiber's, there
}

// absent is what hears at home of the end of a fiber that has moved out.
type absent struct {
	cell  *ioqueue.Cell
	ended func(any, error)
}

// leaveHome keeps here what hears of the end of a fiber that leaves. Nobody may; or its
// home is elsewhere already.
func (c *Core) leaveHome(s *side, id fiber.ID) *home {
	if s.cell == nil && s.ended == nil {
		return s.home
	}
	if c.absent == nil {
		c.absent = map[fiber.ID]absent{}
	}
	c.absent[id] = absent{s.cell, s.ended}
	return &home{c, id}
}

// comeHome gives a fiber that is back where it was spawned what was kept for it.
func (c *Core) comeHome(s *side, id fiber.ID) {
	if s.home == nil || s.home.core != c {
		return
	}
	kept := c.absent[s.home.id]
	delete(c.absent, s.home.id)
	s.cell, s.ended, s.home = kept.cell, kept.ended, nil
	if s.cell != nil {
		s.cell.SetOwner(id)
	}
}

// tell posts how the fiber ended. A home that is closed has nobody left who waits; one whose
// inbox is full takes it all the same, for it is told once of each fiber that has moved out.
func (h *home) tell(d fiber.Death, failed bool) {
	d.ID = h.id
	_ = h.core.inbox.add(command{op: OpPoll, do: func() { h.core.endAbroad(d, failed) }}, math.MaxInt)
}

// Abandon ends a fiber that nobody will bring in: at home it was killed, with that cause
// (nil: ErrKilled). It is safe on any goroutine.
func (m Moved[T]) Abandon(cause error) {
	if s := m.luggage.lasts; s != nil && s.home != nil {
		s.home.tell(fiber.Death{Err: killError(cause), Killed: true}, false)
	}
}

// endAbroad is the end of a fiber that has moved out. failed says that somebody should see
// its error.
func (c *Core) endAbroad(d fiber.Death, failed bool) {
	c.enter(OpMove)
	kept := c.absent[d.ID]
	delete(c.absent, d.ID)
	c.tellAbroad(kept, d, failed)
	c.deliverPending()
	c.leave()
}

func (c *Core) tellAbroad(kept absent, d fiber.Death, failed bool) {
	defer c.mustNotPanic("a hook of a fiber that has moved")
	if kept.cell != nil {
		c.completeCell(kept.cell, d.Result, d.Err)
	}
	if kept.ended != nil {
		kept.ended(d.Result, d.Err)
	}
	if failed && c.cfg.Unobserved != nil {
		c.failures.add(d, kept.cell, c.cfg.Unobserved)
	}
}

// absentAwaited tells whether any fiber waits for the end of one that has moved out.
func (c *Core) absentAwaited() bool {
	for _, kept := range c.absent {
		if kept.cell != nil && c.sources.has(kept.cell.Anchored()) {
			return true
		}
	}
	return false
}

func (c *Core) isAbsent(id fiber.ID) bool {
	_, is := c.absent[id]
	return is
}

// gone is what a call by the ID of a fiber that does not live here is refused with.
func (c *Core) gone(id fiber.ID) error {
	if c.isAbsent(id) {
		return ErrMovedOut
	}
	return ErrGone
}
