package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Submit starts the books of an asynchronous operation for the current root: the
// shell hands the token to whatever does the work, and reports back with Complete.
// It refuses with ioqueue.ErrFull at Config.MaxTokens (wait for Room, and SubmitReserved),
// and in a fiber that is to unwind with ErrKilled or the *PanicError of its Fatal panic:
// nobody would collect what the operation ends with.
func (c *Core) Submit() (fiber.Token, error) {
	h := c.cur
	if h.word&(stateMask|doomed|fatal) != running || c.inside != OpNone {
		return c.submitOtherwise()
	}
	tok, err := c.io.Submit(fiber.RegularID(c.curID))
	if err == nil {
		h.word |= operates
	}
	if invariants.On {
		c.verify()
	}
	return tok, err
}

func (c *Core) submitOtherwise() (fiber.Token, error) {
	c.enter(OpSubmit)
	c.executing(OpSubmit)
	if err := c.unwinds(); err != nil {
		c.leave()
		return 0, err
	}
	tok, err := c.io.Submit(fiber.RegularID(c.curID))
	if err == nil {
		c.cur.set(operates)
		if c.watch != nil {
			c.report(Transition{Op: OpSubmit, ID: c.Current(), Token: tok})
		}
	}
	c.leave()
	return tok, err
}

// unwinds is why the current fiber submits nothing any more, or nil.
func (c *Core) unwinds() error {
	switch {
	case c.cur.has(doomed):
		return ErrKilled
	case c.cur.has(fatal):
		return c.fatalError()
	}
	return nil
}

// Room is the Source on which to wait while Submit refuses with ioqueue.ErrFull, in order
// of arrival: park the ticket there. When that wait has ended well, SubmitReserved has the
// place that was kept.
func (c *Core) Room() *ioqueue.Room { return c.io.Room() }

// SubmitReserved is Submit for a fiber whose wait for Room, by this ticket, has ended. It
// refuses with ioqueue.ErrNoRoom if no place is kept for the ticket, and a fiber that is to
// unwind as Submit does: its place is the next one's then.
func (c *Core) SubmitReserved(t fiber.Ticket) (fiber.Token, error) {
	c.enter(OpSubmit)
	_, id := c.executing(OpSubmit)
	if t.ID != id {
		c.leave()
		return 0, ioqueue.ErrNoRoom
	}
	if err := c.unwinds(); err != nil {
		c.wakeups = c.io.Room().Source().(fiber.Assigner).Forfeit(t, c.wakeups)
		c.deliverPending()
		c.leave()
		return 0, err
	}
	tok, err := c.io.SubmitReserved(fiber.RegularID(c.curID), t)
	if err == nil {
		c.cur.set(operates)
		if c.watch != nil {
			c.report(Transition{Op: OpSubmit, ID: c.Current(), Token: tok})
		}
	}
	c.makeRoom()
	c.leave()
	return tok, err
}

// makeRoom lets fibers in for whom an operation that ended has made room.
func (c *Core) makeRoom() {
	if c.io.Crowded() {
		c.wakeups = c.io.Admit(c.wakeups)
		c.deliverPending()
	}
}
