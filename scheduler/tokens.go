package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// tokenFate is what becomes of the operation when the wait for it ends.
type tokenFate uint8

const (
	tokenAbandoned tokenFate = iota // nobody will ask any more: cancel it
	tokenKept                       // the wait was taken back; it can be awaited again
	tokenDone                       // it completed; that is what ended the wait
)

// Submit starts the books of an asynchronous operation for the current root: the
// shell hands the token to whatever does the work, and reports back with Complete.
// It refuses with ioqueue.ErrFull at Config.MaxTokens (wait for Room, and SubmitReserved),
// and in a fiber that is to unwind with ErrKilled or the *PanicError of its Fatal panic:
// nobody would collect what the operation ends with.
func (c *Core) Submit() (fiber.Token, error) {
	c.enter(OpSubmit)
	c.executing(OpSubmit)
	if err := c.unwinds(); err != nil {
		c.leave()
		return 0, err
	}
	tok, err := c.io.Submit(fiber.RegularID(c.curID))
	if err == nil {
		c.keepSide(c.cur) // its end is to look at what is left of its operations
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
		c.wakeups = c.io.Room().Forfeit(t, c.wakeups)
		c.deliverPending()
		c.leave()
		return 0, err
	}
	tok, err := c.io.SubmitReserved(fiber.RegularID(c.curID), t)
	if err == nil {
		c.keepSide(c.cur) // its end is to look at what is left of its operations
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
	if c.io.Room().Waiting() > 0 {
		c.wakeups = c.io.Admit(c.wakeups)
		c.deliverPending()
	}
}

// operationComes tells whether operations alone will wake somebody: one is awaited, or one that
// was given up is to make room.
func (c *Core) operationComes() bool { return c.io.Awaiting() > 0 || c.io.Room().Comes() }

// Complete reports the end of an operation. One that comes before its Arm is kept,
// one whose fiber has given up, or died, is counted and dropped, and a token that was
// never given out, or ended before, has no effect (I12).
func (c *Core) Complete(tok fiber.Token, done ioqueue.Completion) ioqueue.Verdict {
	c.enter(OpComplete)
	t, v := c.io.CompleteFrom(tok, &done)
	answer := v.String()
	switch v {
	case ioqueue.Deliver:
		answer = c.completed(tok, t).String()
	case ioqueue.Attached:
		c.wakeups = c.io.Settle(tok, c.wakeups)
	}
	if c.watch != nil {
		c.report(Transition{Op: OpComplete, Token: tok, Answer: answer})
	}
	c.deliverPending()
	c.makeRoom()
	c.leave()
	return v
}

func (c *Core) completed(tok fiber.Token, t fiber.Ticket) fiber.Delivery {
	h := c.find(t.ID)
	if h == nil || h.seq != t.Seq || !h.waits() || h.kind() != fiber.IO {
		c.broken(OpComplete, "I8", "token %d is awaited by %v, which does not wait for it", tok, t)
	}
	return c.end(h, t.ID, fiber.Result{Code: fiber.OK}, tokenDone)
}

// Attach lets a completion cell take an operation's result, for trampolines, which
// cannot await a token themselves (I8). The cell is a Source to wait on.
func (c *Core) Attach(tok fiber.Token, cell *ioqueue.Cell) error {
	c.enter(OpSubmit)
	early, err := c.io.Attach(tok, cell)
	if c.watch != nil && err == nil {
		c.report(Transition{Op: OpSubmit, Token: tok, Answer: ioqueue.Attached.String()})
	}
	if early {
		c.wakeups = c.io.Settle(tok, c.wakeups)
		c.deliverPending()
		c.makeRoom()
	}
	c.leave()
	return err
}

// Completion collects what an operation ended with, once.
func (c *Core) Completion(tok fiber.Token) (done ioqueue.Completion, ok bool) {
	c.enter(OpComplete)
	ok = c.io.TakeInto(tok, &done)
	c.makeRoom()
	c.leave()
	return done, ok
}

// Cancellations appends the tokens whose operations nobody waits for any more: the
// shell cancels them, and each still completes once. It is for a host without a Device;
// devices are told at each poll.
func (c *Core) Cancellations(dst []fiber.Token) []fiber.Token {
	c.enter(OpComplete)
	dst = c.io.Cancellations(dst)
	c.leave()
	return dst
}

// Outstanding tells whether the token is of an operation whose owner has not given it up.
func (c *Core) Outstanding(tok fiber.Token) bool { return c.io.Owner(tok) != 0 }

// Operations are the totals of the operations that fibers have submitted.
func (c *Core) Operations() ioqueue.Counters { return c.io.Counters() }

// await registers a ticket for a token, and tells whether the completion has come
// already. A token that this fiber cannot await is the host's mistake.
func (c *Core) await(t fiber.Ticket, tok fiber.Token) (early bool) {
	early, err := c.io.Await(tok, t)
	if err != nil {
		c.refuseAs(OpArm, "I8", "%v: await each token once, from the fiber that submitted it", err)
	}
	return early
}

func (c *Core) endAwait(h *header, fate tokenFate) {
	s := c.sideOf(h)
	switch fate {
	case tokenAbandoned:
		c.mustToken(c.io.Abandon(s.token))
	case tokenKept:
		c.mustToken(c.io.Unawait(s.token))
	}
	s.token = 0
}

// mustToken is for steps that cannot fail while the books of both sides agree.
func (c *Core) mustToken(err error) {
	if err != nil {
		c.broken(c.inside, "I12", "the token of a wait that ends: %v", err)
	}
}
