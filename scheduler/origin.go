package scheduler

import (
	"math"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// keepJoiner keeps the joiner of a fiber that leaves. There may be none, or the fiber's origin
// is another scheduler already.
func (c *Core) keepJoiner(s *ext, id fiber.ID) *origin {
	if s.cell == nil && s.ended == nil {
		return s.origin
	}
	if c.departed == nil {
		c.departed = departures{}
	}
	c.departed[id] = joiner{s.cell, s.ended}
	return &origin{c, id}
}

// restoreJoiner gives a fiber that is back at its origin its joiner.
func (c *Core) restoreJoiner(s *ext, id fiber.ID) {
	if s.origin == nil || s.origin.core != c {
		return
	}
	j := c.departed[s.origin.id]
	delete(c.departed, s.origin.id)
	s.cell, s.ended, s.origin = j.cell, j.ended, nil
	if s.cell != nil {
		s.cell.SetOwner(id)
	}
}

// notify posts how the fiber ended. If the origin is closed, nothing waits there any more. The
// limit of the inbox does not apply, because there is one such command for each fiber that
// has moved out. failed says that the error should have a reader.
func (o *origin) notify(d fiber.Death, failed bool) {
	d.ID = o.id
	_ = o.core.inbox.add(command{op: op.Poll, do: func() { o.core.endDeparted(d, failed) }}, math.MaxInt)
}

// endDeparted is the end of a fiber that has moved out, at its origin.
func (c *Core) endDeparted(d fiber.Death, failed bool) {
	c.enter(op.Move)
	j := c.departed[d.ID]
	delete(c.departed, d.ID)
	c.notifyJoiner(j, d, failed)
	c.deliverPending()
	c.leave()
}

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

// gone is the error of a call by the ID of a fiber that does not live here.
func (c *Core) gone(id fiber.ID) error {
	if c.departed.has(id) {
		return ErrMovedOut
	}
	return ErrGone
}
