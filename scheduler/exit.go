package scheduler

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

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
// its slot is free. Every trampoline above it must have been released. It returns what
// the fiber ended with: err is nil after a plain return, else the guest's error, a
// *PanicError with its site, or an error wrapping ErrKilled.
func (c *Core) KillCurrent() (result any, err error) {
	h := c.cur
	if h.word&(stateMask|armed|latched|chained|hasSide|owed|kept|operates) != running || c.inside != OpNone {
		return c.exit()
	}
	c.cur = c.none
	c.pass(h, exited, c.curSlot())
	c.slots.give(c.curSlot(), h)
	c.counts.Ended++
	if invariants.On {
		c.verify()
	}
	return nil, nil
}

// exit is KillCurrent of a fiber that has something to hand on, or must not exit.
func (c *Core) exit() (result any, err error) {
	c.enter(OpExit)
	h := c.cur
	c.mustBeAbleToExit(h)
	c.cur = c.none
	if s := c.sideOf(h); s != nil {
		result, err = s.ending(h.has(doomed))
		if s.failsRun(h.has(doomed)) && c.over == nil {
			c.over = err
		}
	}
	c.bury(h, c.curSlot(), exited, result, err)
	if c.watch != nil {
		c.report(Transition{Op: OpExit, ID: c.curID})
	}
	c.deliverPending()
	c.leave()
	return result, err
}

func (s *side) ending(doomed bool) (any, error) {
	if doomed {
		return nil, s.killedError()
	}
	if p, panicked := s.outcome(); panicked {
		err := &PanicError{Value: p.Value, Site: p.Site}
		if p.Kind == panicstate.Fatal && s.err != nil && !names(s.err, err.Unwrap()) {
			return nil, errors.Join(err, s.err) // what else went wrong while it unwound
		}
		return nil, err
	}
	if s.panicked && s.err == nil {
		return nil, &PanicError{Value: "the host gave no value"}
	}
	return s.result, s.err
}

// failsRun tells whether the fiber's end is a panic and its policy to end the run with
// it. A killed fiber's panic is part of its unwinding.
func (s *side) failsRun(doomed bool) bool {
	_, panicked := s.outcome()
	return (panicked || s.panicked) && s.policy == panicstate.FailRun && !doomed
}

// killedError is the kill's cause and, if something else went wrong while the fiber
// unwound (a panic in a deferred call), that too: no failure is swallowed.
func (s *side) killedError() error {
	if s.err == nil || errors.Is(s.err, ErrKilled) {
		return s.cause
	}
	return errors.Join(s.cause, s.err)
}

// Exit is SetResult and KillCurrent, both or neither.
func (c *Core) Exit(result any, err error) (any, error) {
	if result != nil || err != nil {
		c.enter(OpExit)
		c.mustBeAbleToExit(c.cur)
		c.leave()
		c.SetResult(result, err)
	}
	return c.KillCurrent()
}

func (c *Core) mustBeAbleToExit(h *header) {
	if h.word&(stateMask|armed|latched|chained) != running {
		c.refuse(OpExit)
	}
}

// bury is every death of a regular fiber: what the dying fiber still holds is handed
// on in a fixed order, then the slot is free, or retired at its last generation.
func (c *Core) bury(h *header, slot uint32, e edge, result any, err error) {
	id := fiber.NewRegularID(slot, h.gen)
	if h.has(owed) {
		c.forfeit(h, fiber.Ticket{ID: id.ID(), Seq: h.seq})
		c.forget(h)
	}
	c.unkeep(h)
	died := fiber.Death{ID: id.ID(), Result: result, Err: err, Killed: e != exited || h.has(doomed)}
	if died.Killed {
		c.counts.Killed++
	}
	c.pass(h, e, slot) // dead before anybody is told
	if s := c.sideOf(h); s != nil {
		defer c.mustNotPanic("a hook of the dead fiber") // until its slot is given back
		c.settleEstate(s, id, result, err)
		died.Name, died.Cause = s.name, s.cause
		if len(s.links) > 0 {
			c.tellLinks(s, died)
		}
		switch {
		case s.home != nil:
			s.home.tell(died, s.failed(died))
		case c.cfg.Unobserved != nil && s.failed(died):
			c.failures.add(died, s.cell, c.cfg.Unobserved)
		}
		c.freeSide(h)
	} else if h.has(operates) {
		defer c.mustNotPanic("a hook of the dead fiber")
		c.settleOperations(id)
	}
	c.slots.give(slot, h)
	c.counts.Ended++
}

// settleEstate passes on what a dead fiber held: locks, operations, its result.
func (c *Core) settleEstate(s *side, id fiber.RegularID, result any, err error) {
	for i := len(s.owned) - 1; i >= 0; i-- {
		c.wakeups = s.owned[i].OwnerDied(id.ID(), c.wakeups)
	}
	c.settleOperations(id)
	if s.grace {
		s.grace = false
		c.staleTimer()
	}
	if s.cell != nil {
		c.completeCell(s.cell, result, err)
	}
	if s.ended != nil {
		s.ended(result, err)
	}
	if s.main && c.over == nil {
		c.over = ErrMainReturned
	}
}

// settleOperations gives up the operations of a dead fiber that it has not waited for.
func (c *Core) settleOperations(id fiber.RegularID) {
	if c.io.OwnerIn(id.Index()) != 0 {
		c.io.AbandonOwned(id)
		c.wakeups = c.io.FailCells(c.wakeups)
		c.wakeups = c.io.Admit(c.wakeups)
	}
}

func (c *Core) completeCell(cell *ioqueue.Cell, result any, err error) {
	var done error
	if c.wakeups, done = cell.Complete(result, err, c.wakeups); done != nil {
		c.broken(OpExit, "I12", "the join cell was completed before its fiber ended: %v", done)
	}
}
