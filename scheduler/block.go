package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Block ends the executing context's slice in the wait it armed. Its fast path parks a root
// without a chain; the slow path handles a result that is latched, a fiber that has to
// unwind, and native calls.
func (c *Core) Block() Blocking {
	h := c.cur
	if h.word&blockMask != running|armed {
		return c.blockSlow()
	}
	c.passKnown(h, h.word&^armed, parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
	return Parked
}

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

// interrupt ends the armed wait of a fiber that has to unwind instead.
func (c *Core) interrupt(h *header, id fiber.ID) {
	code := fiber.Killed
	if !c.cur.has(killPending | fatal) {
		code = fiber.Cancelled
		c.Unwind().takeCancel(c.cur)
	}
	c.disarm(h, id, tokenAbandoned)
	h.conclude(fiber.Result{Code: code})
}

// BlockForQueue arms a plain Queue wait and blocks in it: only Wake or a delivery of the
// ticket ends it. The caller may publish the ticket afterwards, because nothing is delivered
// in between.
func (c *Core) BlockForQueue() (fiber.Ticket, Blocking) {
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
		c.verify()
	}
	return fiber.Ticket{ID: c.curID, Seq: c.seq}, Parked
}

// BlockForIO blocks the current regular fiber until its operation completes. On a trampoline
// it is a contract error (I8).
func (c *Core) BlockForIO(token fiber.Token) Blocking {
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
		c.verify()
	}
	return Parked
}

// BlockOn is ArmOn and Block in one step. The caller has found that the object would block,
// and parks the ticket there now: nothing is delivered in between.
func (c *Core) BlockOn(src fiber.Source) (fiber.Ticket, Blocking) {
	h := c.cur
	if h.word&blockOnMask != running|kept || c.seq == c.lastSeq || c.op != op.None ||
		!identical(&c.reg.sources.at(*c.reg.soleSlot(h)).source, &src) {
		return c.ArmOn(src), c.Block()
	}
	c.seq++
	h.seq = c.seq
	c.passKnown(h, queueWait(h.word&^kept), parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
	return fiber.Ticket{ID: c.curID, Seq: c.seq}, Parked
}
