package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Block ends the executing context's slice in the wait it armed. The answer reports whether the
// slice is over and what the caller has to do next: see Blocking. It has no errors; without an
// armed wait it is a contract error (I13). The time is constant, but that of an interrupted wait
// is proportional to its sources.
//
// The fast path parks a root without a chain; the slow path handles a result that is latched, a
// fiber that has to unwind, and native calls.
func (c *Core) Block() Blocking {
	if invariants.On {
		c.checkOwner(op.Block)
		c.mistakes().mustHaveParked()
		c.mistakes().mustHold(op.Block)
	}
	h := c.cur
	if h.word&blockMask != running|armed {
		return c.blockSlow()
	}
	c.passKnown(h, h.word&^armed, parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.endFast()
	}
	return Parked
}

// blockSlow decides in the order of docs/design.md#transitions: a latched result wins over a
// cancellation and a kill, which stay pending. The interrupting flags are those of the root,
// because cancellation and kill act on the whole chain. Only an interrupted wait withdraws its
// ticket, so only then can sources decide wake-ups.
func (c *Core) blockSlow() Blocking {
	c.enter(op.Block)
	h, id := c.executing(op.Block)
	var how Blocking
	switch {
	case h.has(latched):
		how = c.blockLatched(h)
	case !h.has(armed):
		c.refuseAs(op.Block, rule.I13, "nothing is armed: Arm a wait, then Block in it")
	case c.cur.has(interrupts):
		c.interrupt(h, id)
		how = Interrupted
	case c.cur.bars():
		c.pump().pinChain(h)
		how = Pinned
	default: // a call that parks: any other root took the fast path
		c.chains().park(h)
		how = Parked
	}
	if c.observer != nil {
		c.observer.reportBlock(how, h, id)
	}
	if how == Interrupted {
		c.deliverPending()
	}
	c.leave()
	return how
}

// blockLatched ends a wait whose result came before the block. A trampoline continues at once,
// because it is never Runnable (I4). A root goes to the back of the ready queue like one that
// yields, so that a fiber which always finds its result cannot keep the others from running: it
// enters the ring and not the batch under way, and the next Poll comes first.
func (c *Core) blockLatched(h *header) Blocking {
	c.unlatch(h)
	if h.has(tramp) {
		return Resumed
	}
	c.passCurrent(requeued)
	c.ring.push(c.curSlot())
	c.cur = c.none
	return Requeued
}

// interrupt ends the armed wait of a fiber that has to unwind instead. A kill and a Fatal panic
// interrupt every later wait as well; a cancellation is received here once, and the deferred
// calls of the fiber may wait after it. A token that was awaited is abandoned.
func (c *Core) interrupt(h *header, id fiber.ID) {
	code := fiber.Killed
	if !c.cur.has(killPending | fatal) {
		code = fiber.Cancelled
		c.Unwind().takeCancel(c.cur)
	}
	c.disarm(h, id, tokenAbandoned)
	h.conclude(fiber.Result{Code: code})
}

// BlockForQueue arms a plain Queue wait and blocks in it: Wake, a delivery of the ticket, a
// cancellation or a kill ends it. The caller publishes the ticket before its next call of the
// scheduler: the owner's goroutine delivers nothing in between, so no wake-up is lost (I9). If
// the answer is Interrupted the ticket is spent already. The fast path allocates nothing.
func (c *Core) BlockForQueue() (fiber.Ticket, Blocking) {
	if invariants.On {
		c.checkOwner(op.Block)
		c.mistakes().mustHold(op.Block)
	}
	h := c.cur
	if h.word&blockForMask != running || c.seq == c.lastSeq || c.op != op.None {
		t := c.Arm(fiber.OnQueue())
		return t, c.Block()
	}
	c.seq++
	h.seq = c.seq
	c.passKnown(h, queueWait(h.word), parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.endFast()
	}
	return fiber.Ticket{ID: c.curID, Seq: c.seq}, Parked
}

// BlockForIO blocks the current regular fiber until its operation completes: Arm(OnIO(token))
// and Block in one step. A trampoline, and a token that this fiber did not submit or has awaited
// before, are contract errors (I8). The fast path allocates nothing.
//
// AwaitInFlight is the last condition of the fast path, because it registers the ticket and all
// others must have held. It refuses an operation that is complete; the slow path latches that.
func (c *Core) BlockForIO(token fiber.Token) Blocking {
	if invariants.On {
		c.checkOwner(op.Block)
		c.mistakes().mustHold(op.Block)
	}
	h, t := c.cur, fiber.Ticket{ID: c.curID, Seq: c.seq + 1}
	if h.word&blockForMask != running || c.seq == c.lastSeq || c.op != op.None || !c.io.AwaitInFlight(token, t) {
		c.Arm(fiber.OnIO(token))
		return c.Block()
	}
	c.seq++
	h.seq = c.seq
	c.reg.setToken(h, token)
	c.passKnown(h, h.word&^(kindMask|codeMask|external)|word(fiber.IO)<<kindShift, parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.endFast()
	}
	return Parked
}

// BlockOn is ArmOn and Block in one step. The caller has found that the object would block, and
// parks the ticket there before its next call of the scheduler: nothing is delivered in between.
// If the answer is Interrupted the ticket is spent, and parking it would leave a registration
// that nothing withdraws (I10).
//
// The fast path is for the source that the fiber waited on last: it compares the two words of
// the interface values, and the kept reference becomes that of the new wait. It allocates
// nothing.
func (c *Core) BlockOn(src fiber.Source) (fiber.Ticket, Blocking) {
	if invariants.On {
		c.checkOwner(op.Block)
		c.mistakes().mustHold(op.Block)
	}
	h := c.cur
	if h.word&blockOnMask != running|kept || c.seq == c.lastSeq || c.op != op.None ||
		!identical(&c.reg.sources.at(*c.reg.soleSlot(h)).source, &src) {
		t := c.ArmOn(src)
		if invariants.On {
			c.parksLater = t.ID // for the check in Block
		}
		how := c.Block()
		if invariants.On {
			c.parksLater = t.ID // for the next call
		}
		return t, how
	}
	c.seq++
	h.seq = c.seq
	c.passKnown(h, queueWait(h.word&^kept), parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.parksLater = c.curID
		c.endFast()
	}
	return fiber.Ticket{ID: c.curID, Seq: c.seq}, Parked
}
