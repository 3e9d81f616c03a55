package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Complete reports the end of an operation. A completion that comes before its Arm is kept;
// one whose fiber has abandoned it, or died, is counted and dropped; a token that was never
// issued, or has ended, has no effect (I12).
func (f Ops) Complete(tok fiber.Token, done ioqueue.Completion) ioqueue.Verdict {
	return f.CompleteFrom(tok, &done)
}

// CompleteFrom is Complete for a device that holds the completion in memory of its own, from
// which it is copied.
func (f Ops) CompleteFrom(tok fiber.Token, done *ioqueue.Completion) ioqueue.Verdict {
	c := f.core
	if c.op != op.None {
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
		c.verify()
	}
	return ioqueue.Deliver
}

func (f Ops) completeSlow(tok fiber.Token, done *ioqueue.Completion) ioqueue.Verdict {
	f.core.enter(op.Complete)
	t, v := f.core.io.Complete(tok, done)
	f.settle(tok, t, v)
	return v
}

// wakeFast ends a plain wait for an operation: all that it has registered is the token, which
// is done. If there is more to do, wakeFast does nothing and returns false.
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

// settle ends a Complete as the queue's verdict requires.
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

// endWait ends the wait for a token that has completed.
func (f Ops) endWait(tok fiber.Token, t fiber.Ticket) fiber.Delivery {
	c := f.core
	h := c.find(t.ID)
	if h == nil || h.seq != t.Seq || !h.waits() || h.kind() != fiber.IO {
		c.broken(op.Complete, rule.I8, "token %d is awaited by %v, which does not wait for it", tok, t)
	}
	return c.end(h, t.ID, fiber.Result{Code: fiber.OK}, tokenDone)
}

// Attach lets a completion cell receive an operation's result, for trampolines, which cannot
// await a token themselves (I8). The cell is a Source to wait on.
func (f Ops) Attach(tok fiber.Token, cell *ioqueue.Cell) error {
	c := f.core
	c.enter(op.Submit)
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

// Completion collects what an operation ended with, once.
func (f Ops) Completion(tok fiber.Token) (done ioqueue.Completion, ok bool) {
	c := f.core
	if c.op != op.None || c.io.Crowded() {
		return f.completionSlow(tok)
	}
	ok = c.io.Take(tok, &done)
	if invariants.On {
		c.verify()
	}
	return done, ok
}

func (f Ops) completionSlow(tok fiber.Token) (done ioqueue.Completion, ok bool) {
	c := f.core
	c.enter(op.Complete)
	ok = c.io.Take(tok, &done)
	f.admitWaiting()
	c.leave()
	return done, ok
}
