package scheduler

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// The end of a fiber that has moved out is reported at its origins: the scheduler that spawned
// it, and those in which it got a cell later (Attachments.Cell). The record of what waits there
// (departures) belongs to the origin's owner and stays; the fiber takes along only where to
// post its end. So a cell is completed, and Ended is called, by the goroutine that owns both.

// keepJoiner keeps the joiner of a fiber that leaves, under the ID that it had here, and
// returns where its end is to be posted: here, and at the origins that the fiber came with.
func (c *Core) keepJoiner(s *ext, id fiber.ID) *origin {
	if s.cell == nil && s.ended == nil {
		return s.origin
	}
	if c.departed == nil {
		c.departed = departures{}
	}
	c.departed[id] = joiner{s.cell, s.ended}
	return &origin{c, id, s.origin}
}

// restoreJoiner gives a fiber that is back at an origin its joiner: the cell and the hook are
// its own again, and its end needs no command to this scheduler. The cell's owner is its new
// ID. The other origins stay.
func restoreJoiner(c *Core, s *ext, id fiber.ID) {
	at := &s.origin
	for *at != nil && (*at).core != c {
		at = &(*at).earlier
	}
	if *at == nil {
		return
	}
	here := *at
	*at = here.earlier
	j := c.departed[here.id]
	delete(c.departed, here.id)
	s.cell, s.ended = j.cell, j.ended
	if s.cell != nil {
		s.cell.SetOwner(id)
	}
}

// notify posts to every origin how the fiber ended, from the goroutine in which it ended: it
// uses nothing of an origin but the inbox, which is safe for that, and which never changes. If
// an origin is closed, nothing waits there any more. The limit of the inbox does not apply,
// because a refusal would lose the end, and there is at most one such command for each fiber
// that has moved out. failed says that the error should have a reader. Only the earliest origin
// learns that: none can know whether the cell of another was read, and one failure is one report.
func (o *origin) notify(d fiber.Death, failed bool) {
	for ; o != nil; o = o.earlier {
		at, d, failed := o.core, d, failed && o.earlier == nil
		d.ID = o.id
		_ = at.inbox.add(command{op: op.Poll, do: func() { at.endDeparted(d, failed) }}, math.MaxInt)
	}
}

// endDeparted is the end of a fiber that has moved out, at its origin: a command of the
// inbox. The joiner is removed before the hooks, so the end is reported once (I12).
func (c *Core) endDeparted(d fiber.Death, failed bool) {
	c.enter(op.Move)
	j := c.departed[d.ID]
	delete(c.departed, d.ID)
	c.notifyJoiner(j, d, failed)
	c.deliverPending()
	c.leave()
}

// notifyJoiner reports an end in the order of a death here: the cell, the hook, the
// unobserved failure. A hook that panics poisons this scheduler, not the one where the fiber
// ran (HOOK-RETURNS).
func (c *Core) notifyJoiner(j joiner, d fiber.Death, failed bool) {
	defer c.mustNotPanic("a hook of a fiber that has moved")
	if j.cell != nil {
		c.completeCell(j.cell, d.Result, d.Err)
	}
	if j.ended != nil {
		j.ended(d.Result, d.Err)
	}
	if failed && c.cfg.Unobserved != nil {
		c.unobserved.add(d, j.cell, c.cfg.Unobserved)
	}
}

// gone is the error of a call by the ID of a fiber that does not live here: ErrMovedOut while
// its end is still to be reported here, else ErrGone. A fiber that nothing waited for leaves
// no record, so it is ErrGone from the moment it leaves.
func (c *Core) gone(id fiber.ID) error {
	if c.departed.has(id) {
		return ErrMovedOut
	}
	return ErrGone
}
