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
func (c *Core) ReleaseTrampoline(id fiber.TrampolineID) {
	root := c.cur
	if root.word&releaseMask != running|chained || c.op != op.None {
		c.releaseSlow(id)
		return
	}
	s := c.reg.exts.all[root.ref-1]
	slot := s.top - 1
	t := c.tramps.all[slot]
	if t.word&(owed|hasExt) != 0 || // the root mirrors what is armed there
		id != fiber.NewTrampolineID(slot, t.gen) {
		c.releaseSlow(id)
		return
	}
	c.pass(&t.header, released, uint32(id.ID().Raw()))
	c.chains().pop(root, s, t)
	c.tramps.give(slot, t)
	if invariants.On {
		c.verify()
	}
}

// releaseSlow may refuse, and passes on a panic or a result.
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
	c.pass(h, released, uint32(top.Raw()))
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
		heir.Adopt(p)
	}
}
