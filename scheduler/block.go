package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// blockOtherwise is Block where it is more than parking a plain fiber: the ticket was
// delivered already, the fiber is cancelled or doomed, or a native call waits.
func (c *Core) blockOtherwise() Blocking {
	c.enter(OpBlock)
	h, id := c.executing(OpBlock)
	var how Blocking
	switch {
	case h.has(latched):
		how = c.blockLatched(h)
	case !h.has(armed):
		c.refuseAs(OpBlock, rule.I13, "nothing is armed: Arm a wait, then Block in it")
	case c.cur.has(doomed | fatal | alarmed):
		c.interrupt(h, id)
		how = Interrupted
	case c.cur.bars():
		c.pinChain(h)
		how = Pinned
	default: // a call that parks: any other root Block has parked itself
		c.parkChain(h)
		how = Parked
	}
	if c.watch != nil {
		c.reportBlock(how, h, id)
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
	c.ready.push(c.curSlot())
	c.leaveCPU()
	return Requeued
}

// interrupt ends the armed wait of a fiber that is to unwind instead.
func (c *Core) interrupt(h *header, id fiber.ID) {
	code := fiber.Killed
	if !c.cur.has(doomed | fatal) {
		code = fiber.Cancelled
		c.tellCancel(c.cur)
	}
	c.disarm(h, id, tokenAbandoned)
	h.conclude(fiber.Result{Code: code})
}

func (c *Core) claimOtherwise() (fiber.Ticket, fiber.Result) {
	c.enter(OpClaim)
	h, id := c.executing(OpClaim)
	if h.has(armed | latched) {
		c.refuse(OpClaim)
	}
	t, r := fiber.Ticket{ID: id, Seq: h.seq}, fiber.Result{Code: h.code(), Value: h.value}
	if h.has(owed) {
		c.forget(h)
	}
	c.leave()
	return t, r
}

// executing is the context that runs: the top of the current chain.
func (c *Core) executing(op Op) (*header, fiber.ID) {
	h := c.cur
	if h.word&stateMask != running {
		c.refuse(op)
	}
	if h.has(chained) {
		return c.topOf(h)
	}
	return h, c.curID
}

// Armed tells whether the executing context has a wait armed or latched.
func (f Inspect) Armed() bool {
	c := f.core
	h := c.cur
	if h.bars() {
		h, _ = c.topOf(h)
	}
	return h.has(armed | latched) // any other root shows what is armed at the top of its chain
}

// Executing is the context that runs VM code: the innermost trampoline of the current
// chain, else the current fiber, else none.
func (f Inspect) Executing() fiber.ID { return f.core.executingID() }

func (c *Core) executingID() fiber.ID {
	switch {
	case c.cur.word&stateMask != running:
		return 0
	case c.cur.has(chained):
		_, id := c.topOf(c.cur)
		return id
	}
	return c.Current()
}
