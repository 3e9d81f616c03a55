package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/quota"
)

// Submit registers an asynchronous operation of the current root and returns its token. The
// shell passes the token to the device that does the work, which reports back with Complete.
// Errors: ioqueue.ErrFull at Config.MaxTokens (wait for Room, then SubmitReserved); in a
// fiber that has to unwind ErrKilled or the *PanicError of its Fatal panic, because nothing
// would collect the completion; in a Group a *quota.Error, which has ended the Group.
//
// The root owns the operation, also when a trampoline executes (I8): its death abandons what
// it has not waited for, and each token ends exactly once (I12). A pending cancellation does
// not refuse: the fiber may still complete what it does. O(1).
func (f Ops) Submit() (fiber.Token, error) {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Submit)
	}
	h := c.cur
	if h.word&submitMask != running || c.op != op.None || c.groups != nil {
		return f.submitSlow()
	}
	tok, err := c.io.Submit(fiber.RegularID(c.curID))
	// The flag sends the fiber's end to its slow path, which abandons operations.
	if err == nil {
		h.word |= operates
	}
	if invariants.On {
		c.endFast()
	}
	return tok, err
}

// submitSlow refuses if no fiber executes (I8), and reports to an observer.
func (f Ops) submitSlow() (fiber.Token, error) {
	c := f.core
	c.enter(op.Submit)
	c.executing(op.Submit)
	if err := f.submitError(); err != nil {
		c.leave()
		c.groups.current().endIfPassed(err)
		return 0, err
	}
	tok, err := c.io.Submit(fiber.RegularID(c.curID))
	f.submitted(tok, err)
	c.leave()
	return tok, err
}

// submitError is why the current fiber may not submit, or nil; then an operation of its Group is
// taken.
func (f Ops) submitError() error {
	err := f.core.submitError()
	if g := f.core.groups.current(); err == nil && g != nil {
		err = g.account.Take(quota.Operations, 1)
	}
	return err
}

// submitted records that the current fiber has submitted an operation, unless the queue
// refused it.
func (f Ops) submitted(tok fiber.Token, err error) {
	c := f.core
	if g := c.groups.current(); g != nil {
		// Of a refused operation the slot is 0, which no token has.
		c.groups.tokens = note(c.groups.tokens, ioqueue.SlotOf(tok), g)
		if err != nil {
			c.groups.released(0)
		}
	}
	if err != nil {
		return
	}
	c.cur.set(operates)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Submit, ID: c.Current(), Token: tok})
	}
}

// submitError is why the current fiber may begin nothing that it would have to wait for, or
// nil. The kill comes first: it is the cause that stays.
func (c *Core) submitError() error {
	switch {
	case c.cur.has(killPending):
		return ErrKilled
	case c.cur.has(fatal):
		return c.Unwind().fatalError()
	}
	return nil
}

// Room is the Source to wait on while Submit returns ioqueue.ErrFull, in order of arrival
// (I11): park the ticket there. When that wait has ended well, SubmitReserved uses the place
// that is reserved for the ticket. Until then the place is not given to any other fiber.
func (f Ops) Room() ioqueue.Room { return f.core.io.Room() }

// SubmitReserved is Submit for a fiber whose wait for Room, by this ticket, has ended.
// Errors: ioqueue.ErrNoRoom if no place is reserved for the ticket, or if it is another
// fiber's; in a fiber that has to unwind as Submit, and its place goes to the next fiber
// (I12).
func (f Ops) SubmitReserved(t fiber.Ticket) (fiber.Token, error) {
	c := f.core
	c.enter(op.Submit)
	_, id := c.executing(op.Submit)
	if t.ID != id {
		c.leave()
		return 0, ioqueue.ErrNoRoom
	}
	if err := f.submitError(); err != nil {
		c.wakeups, _ = c.io.Room().Source().(fiber.Assigner).Forfeit(t, c.wakeups)
		c.deliverPending()
		c.leave()
		c.groups.current().endIfPassed(err)
		return 0, err
	}
	tok, err := c.io.SubmitReserved(fiber.RegularID(c.curID), t)
	f.submitted(tok, err)
	f.admitWaiting()
	c.leave()
	return tok, err
}

// admitWaiting wakes fibers that wait for Room, if an operation that ended has made room.
// Whatever may free a token ends with it, so a free place and a fiber that waits for it never
// exist together between operations (I9).
func (f Ops) admitWaiting() {
	if c := f.core; c.io.Crowded() {
		c.wakeups = c.io.Admit(c.wakeups)
		c.deliverPending()
	}
}
