package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/panicstate"
)

// ReleaseTrampoline ends the innermost native call of the current chain. If a panic ended it,
// its value and generation pass to the caller, whose own deferred calls then run and may
// recover it (I7). A result that the call has not claimed is lost with it (I12).
//
// Calls end from the top down, and with nothing armed: any other ID is a contract error (I4,
// I13), and nothing has changed. Its ID is over, so a late wake-up of its last wait is Gone
// (I5). O(1) without allocation; the fast path serves a call without a panic machine in a
// fiber that parks and is not killed.
func (c *Core) ReleaseTrampoline(id fiber.TrampolineID) {
	if invariants.On {
		c.checkOwner(op.Release)
	}
	root := c.cur
	if root.word&releaseMask != running|chained || c.step >= c.fastUntil {
		c.releaseSlow(id)
		return
	}
	s := c.reg.exts.all[root.ref-1]
	slot := s.top - 1
	t := c.tramps.all[slot]
	// The root mirrors what is armed in t, and the mask above has refused that. Without owed
	// and a record, t has no result that was not claimed and no panic to pass on.
	if t.word&(owed|hasExt) != 0 ||
		id != fiber.NewTrampolineID(slot, t.gen) {
		c.releaseSlow(id)
		return
	}
	// The gate first: it refuses before anything has changed.
	c.pass(&t.header, released, uint32(id.ID().Raw()))
	c.chains().pop(root, s, t)
	c.tramps.give(slot, t)
	if invariants.On {
		c.endFast()
	}
}

// releaseSlow may refuse, and passes on a panic or a result. Its order: what the call was
// assigned goes back to the sources while the ticket still names it; the panic is read before
// the record is freed, which resets its machine; the call is Dead and off the chain before
// the caller is looked up.
func (c *Core) releaseSlow(id fiber.TrampolineID) {
	c.enter(op.Release)
	h, top := c.executing(op.Release)
	if top != id.ID() || !h.has(tramp) || h.has(armed|latched) {
		c.refuse(op.Release)
	}
	if h.has(owed) {
		c.forfeit(h, fiber.Ticket{ID: top, Seq: h.seq})
		c.reg.forget(h)
	}
	t := c.tramps.get(top)
	p, panicked := c.reg.ext(h).outcome()
	var heir *panicstate.State
	passSlow(c, h, released, uint32(top.Raw()))
	c.reg.freeExt(h)
	c.chains().pop(c.cur, c.reg.ext(c.cur), t)
	c.tramps.give(top.Index(), t)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Release, ID: top})
	}
	if panicked {
		caller, _ := c.executing(op.Release)
		heir = c.Unwind().panicsOf(caller)
	}
	c.deliverPending()
	c.leave()
	if panicked {
		// Outside the operation: Adopt is a step of the panic machine and has rules of its
		// own (PANIC-PHASE).
		heir.Adopt(p)
	}
}
