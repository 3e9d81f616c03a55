package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Complete reports the end of an operation, and wakes the fiber that awaits it; the fiber
// collects the completion with Completion. A completion that comes before its Arm is kept; one
// whose fiber has abandoned it, or died, is counted and dropped; a token that was never issued,
// or has ended, has no effect (I12). The verdict tells which; any token is safe, also a forged
// one. The owner calls Complete; other goroutines post Inbox.Complete. The time is constant, plus
// that of the wake-ups when a cell is completed or a place becomes free.
func (f Ops) Complete(tok fiber.Token, done ioqueue.Completion) ioqueue.Verdict {
	return f.CompleteFrom(tok, &done)
}

// CompleteFrom is Complete for a device that holds the completion in memory of its own, from
// which it is copied: the device may use that memory again when the call has returned.
func (f Ops) CompleteFrom(tok fiber.Token, done *ioqueue.Completion) ioqueue.Verdict {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Complete)
	}
	if c.step >= c.fastUntil || done == nil {
		return f.completeSlow(tok, done)
	}
	t, awaited := c.io.CompleteAwaited(tok, done)
	if !awaited {
		return f.completeSlow(tok, done)
	}
	if !f.wakeFast(t) {
		c.enter(op.Complete)
		f.settle(tok, t, ioqueue.Deliver)
	} else if invariants.On {
		c.endFast()
	}
	return ioqueue.Deliver
}

// completeSlow serves every token that no fiber awaits directly, and all while an observer is
// set. It is also the refusal of a call inside another operation.
func (f Ops) completeSlow(tok fiber.Token, done *ioqueue.Completion) ioqueue.Verdict {
	f.core.enter(op.Complete)
	if done == nil {
		f.core.refuseAs(op.Complete, rule.ValidArgument, "CompleteFrom has no completion: pass what the operation ended with")
	}
	t, v := f.core.io.Complete(tok, done)
	f.settle(tok, t, v)
	return v
}

// wakeFast ends a plain wait for an operation: all that it has registered is the token, which
// is done. If there is more to do (a deadline, the count of external waits), wakeFast does nothing
// and returns false. It need not ask whether the slot is in use or the fiber alive: sequence number
// and generation together name one wait of one fiber (I5), and plainIO is a Blocked one.
// The queue has recorded the completion already, so a caller that gets false continues with
// settle and does not complete the token again.
func (f Ops) wakeFast(t fiber.Ticket) bool {
	c := f.core
	h := c.slots.peek(uint32(t.ID))
	if h == nil || h.seq != t.Seq || h.gen != t.ID.Generation() || h.word&plainIOMask != plainIO {
		return false
	}
	c.reg.setToken(h, 0)
	h.value = 0
	c.passKnown(h, h.word|word(fiber.OK)<<codeShift, woken, uint32(t.ID)) // the code was Pending, 0
	c.run().join(h, t.ID)
	return true
}

// settle ends a Complete as the queue's verdict requires. The observer receives the completion
// before the wake-ups that follow from it. Fibers that wait for room come last, because only now
// it is certain whether the token has ended and its place is free.
func (f Ops) settle(tok fiber.Token, t fiber.Ticket, v ioqueue.Verdict) {
	c := f.core
	answer := v.String()
	switch v {
	case ioqueue.Deliver:
		answer = f.endWait(tok, t).String()
	case ioqueue.Attached:
		c.wakeups = c.io.Settle(tok, c.wakeups)
	}
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Complete, Token: tok, Answer: answer})
	}
	c.deliverPending()
	f.admitWaiting()
	c.leave()
}

// endWait ends the wait for a token that has completed. The queue and the fiber must agree on
// who awaits the token (I8): every end of such a wait takes the registration back at once, so a
// difference is a bug of this library and not a race.
func (f Ops) endWait(tok fiber.Token, t fiber.Ticket) fiber.Delivery {
	c := f.core
	h := c.find(t.ID)
	if h == nil || h.seq != t.Seq || !h.waits() || h.kind() != fiber.IO {
		c.broken(op.Complete, rule.I8, "token %d is awaited by %v, which does not wait for it", tok, t)
	}
	return c.end(h, t.ID, fiber.Result{Code: fiber.OK}, tokenDone)
}

// Attach lets a completion cell receive an operation's result, for trampolines, which cannot
// await a token themselves (I8). The cell is a Source to wait on. An operation that is complete
// already completes the cell within this call; then there is nothing to wait for. The cell's value
// is the ioqueue.Completion. An Operation does all of it. The token
// still belongs to the root fiber: if that dies, the cell is completed with
// ioqueue.ErrAbandoned. Errors: ioqueue.ErrUnknownToken, ErrAwaited, ErrAbandoned.
func (f Ops) Attach(tok fiber.Token, cell *ioqueue.Cell) error {
	c := f.core
	c.enter(op.Submit)
	if cell == nil {
		c.refuseAs(op.Submit, rule.ValidArgument, "Attach has no cell: pass the cell that receives the result")
	}
	if owner := cell.Owner(); owner != 0 {
		c.refuseAs(op.Submit, rule.ValidArgument, "the cell is the join cell of %v, which completes it: give the operation a cell of its own", owner)
	}
	early, err := c.io.Attach(tok, cell)
	if c.observer != nil && err == nil {
		c.observer.report(Transition{Op: op.Submit, Token: tok, Answer: ioqueue.Attached.String()})
	}
	if early {
		c.wakeups = c.io.Settle(tok, c.wakeups)
		c.deliverPending()
		f.admitWaiting()
	}
	c.leave()
	return err
}

// Completion collects what an operation ended with, once: the token ends, and its place is free
// for another operation. ok is false while the operation is in flight, if a cell takes its
// result, and for a token that has ended or was never issued. It takes constant time and
// allocates nothing, unless a fiber waits for the place.
func (f Ops) Completion(tok fiber.Token) (done ioqueue.Completion, ok bool) {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Complete)
	}
	if c.op != op.None || c.io.Crowded() {
		return f.completionSlow(tok)
	}
	ok = c.io.Take(tok, &done)
	if invariants.On {
		c.endFast()
	}
	return done, ok
}

// completionSlow passes the place of the token on to a fiber that waits for room.
func (f Ops) completionSlow(tok fiber.Token) (done ioqueue.Completion, ok bool) {
	c := f.core
	c.enter(op.Complete)
	ok = c.io.Take(tok, &done)
	f.admitWaiting()
	c.leave()
	return done, ok
}
