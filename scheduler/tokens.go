package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/ioqueue"
)

// tokenFate is what becomes of the operation when the wait for it ends.
type tokenFate uint8

const (
	tokenAbandoned tokenFate = iota // nobody will ask any more: cancel it
	tokenKept                       // the wait was taken back; it can be awaited again
	tokenDone                       // it completed; that is what ended the wait
)

// operationComes tells whether operations alone will wake somebody: one is awaited, or one that
// was given up is to make room.
func (c *Core) operationComes() bool { return c.io.Awaiting() > 0 || c.io.Room().AwaitsDevice() }

// Complete reports the end of an operation. One that comes before its Arm is kept,
// one whose fiber has given up, or died, is counted and dropped, and a token that was
// never given out, or ended before, has no effect (I12).
func (c *Core) Complete(tok fiber.Token, done ioqueue.Completion) ioqueue.Verdict {
	return c.CompleteFrom(tok, &done)
}

// CompleteFrom is Complete for a device that has the completion in a place of its own, from
// where it is copied.
func (c *Core) CompleteFrom(tok fiber.Token, done *ioqueue.Completion) ioqueue.Verdict {
	if c.inside != OpNone { // or somebody observes
		return c.completeOtherwise(tok, done)
	}
	t, awaited := c.io.CompleteAwaited(tok, done)
	if !awaited {
		return c.completeOtherwise(tok, done)
	}
	if !c.rouseFromIO(t) {
		c.enter(OpComplete)
		c.settle(tok, t, ioqueue.Deliver)
	} else if invariants.On {
		c.verify()
	}
	return ioqueue.Deliver
}

func (c *Core) completeOtherwise(tok fiber.Token, done *ioqueue.Completion) ioqueue.Verdict {
	c.enter(OpComplete)
	t, v := c.io.Complete(tok, done)
	c.settle(tok, t, v)
	return v
}

// rouseFromIO is the end of a plain wait for an operation: all that it had registered is the
// token, which is done. It is false, and nothing has happened, where there is more to do.
func (c *Core) rouseFromIO(t fiber.Ticket) bool {
	h := c.slots.peek(uint32(t.ID))
	if h == nil || h.seq != t.Seq || h.gen != t.ID.Generation() || h.word&plainIOMask != plainIO {
		return false
	}
	c.setToken(h, 0)
	h.value = 0
	c.passKnown(h, h.word|word(fiber.OK)<<codeShift, woken, uint32(t.ID)) // in place of Pending
	c.join(h, t.ID)
	return true
}

// plainIO is what the word of a fiber says, as far as plainIOMask goes, in a wait for an
// operation without a deadline.
const (
	plainIOMask = gateMask | kindMask | codeMask | external | timed | owed
	plainIO     = blocked | word(fiber.IO)<<kindShift
)

// settle ends a Complete: it does what the books' verdict asks for.
func (c *Core) settle(tok fiber.Token, t fiber.Ticket, v ioqueue.Verdict) {
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
	if c.inside != OpNone || c.io.Crowded() {
		return c.completionOtherwise(tok)
	}
	ok = c.io.Take(tok, &done)
	if invariants.On {
		c.verify()
	}
	return done, ok
}

func (c *Core) completionOtherwise(tok fiber.Token) (done ioqueue.Completion, ok bool) {
	c.enter(OpComplete)
	ok = c.io.Take(tok, &done)
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
	switch tok := c.tokenOf(h); fate {
	case tokenAbandoned:
		c.mustToken(c.io.Abandon(tok))
	case tokenKept:
		c.mustToken(c.io.Unawait(tok))
	}
	c.setToken(h, 0)
}

// tokenOf is the operation that a fiber waits for in its IO wait.
func (c *Core) tokenOf(h *header) fiber.Token {
	if s := c.sideOf(h); s != nil {
		return s.token
	}
	return c.io.TokenIn(h.ref)
}

// setToken notes the operation that a fiber waits for, while it does, or 0.
func (c *Core) setToken(h *header, tok fiber.Token) {
	if h.has(hasSide) {
		c.sides.all[h.ref-1].token = tok
		return
	}
	h.ref = ioqueue.SlotOf(tok)
}

// mustToken is for steps that cannot fail while the books of both sides agree.
func (c *Core) mustToken(err error) {
	if err != nil {
		c.broken(c.inside, "I12", "the token of a wait that ends: %v", err)
	}
}
