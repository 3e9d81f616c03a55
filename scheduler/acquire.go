package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/panicstate"
)

// AcquireTrampoline begins a synchronous call from native code: a trampoline, Running
// on top of the current chain. It refuses with ErrTooManyTrampolines at
// Config.MaxTrampolines, with ErrTooDeep at Config.MaxNesting if the fiber nests, and in
// a fiber that is to unwind with ErrKilled or the *PanicError of its Fatal panic.
func (c *Core) AcquireTrampoline() (fiber.TrampolineID, error) {
	const special = armed | latched | doomed | fatal | nests
	root, free := c.cur, len(c.tramps.free)
	if root.word&(stateMask|hasSide|special) != running|hasSide || free == 0 || c.inside != OpNone {
		return c.acquireOtherwise()
	}
	s := c.sides.all[root.ref-1]
	if s.panics != nil && !s.runsCode() || s.top != 0 && c.tramps.all[s.top-1].has(hasSide) {
		return c.acquireOtherwise() // a panic may be under way
	}
	slot := c.tramps.free[free-1]
	c.tramps.free = c.tramps.free[:free-1]
	id := c.stack(root, s, c.tramps.all[slot], slot)
	if invariants.On {
		c.verify()
	}
	return id, nil
}

// acquireOtherwise is AcquireTrampoline where it may be refused, or has to make room.
func (c *Core) acquireOtherwise() (fiber.TrampolineID, error) {
	c.enter(OpAcquire)
	h, _ := c.executing(OpAcquire)
	if h.has(armed | latched) {
		c.refuse(OpAcquire)
	}
	if !c.sideOf(h).runsCode() {
		c.refuseAs(OpAcquire, rule.I7, "a panic is unwound and no code runs that could call: run its deferred calls, or end the context")
	}
	if err := c.refusal(); err != nil {
		c.leave()
		return 0, err
	}
	slot, t, ok := c.tramps.take()
	if !ok {
		c.leave()
		return 0, fmt.Errorf("%w (%d)", ErrTooManyTrampolines, c.tramps.limit)
	}
	id := c.stack(c.cur, c.keepSide(c.cur), t, slot)
	if c.watch != nil {
		c.report(Transition{Op: OpAcquire, ID: id.ID()})
	}
	c.leave()
	return id, nil
}

// refusal is why the current fiber may not begin another native call.
func (c *Core) refusal() error {
	switch {
	case c.cur.has(doomed):
		return ErrKilled
	case c.cur.has(fatal):
		return c.fatalError()
	case c.cur.has(nests) && len(c.pins) >= c.cfg.MaxNesting:
		return fmt.Errorf("%w (%d)", ErrTooDeep, c.cfg.MaxNesting)
	}
	return nil
}

// stack puts a dead trampoline on top of the current chain.
func (c *Core) stack(root *header, s *side, t *trampoline, slot uint32) fiber.TrampolineID {
	if s.top == 0 {
		s.native, s.keep = root.has(frames), true
	}
	t.gen++
	t.caller, t.root = s.top, c.curSlot()
	s.top = slot + 1
	root.set(chained | frames)
	if root.has(nests) {
		root.set(barred)
	}
	id := fiber.NewTrampolineID(slot, t.gen)
	c.pass(&t.header, acquired, uint32(id.ID().Raw()))
	c.tramps.live++
	return id
}

// ReleaseTrampoline ends the innermost native call of the current chain. If a panic
// ended it, its value and generation pass to the caller, whose own deferred calls then
// run and may recover it (I7). A result it has not claimed is lost with it (I12).
func (c *Core) ReleaseTrampoline(id fiber.TrampolineID) {
	const special = armed | latched | doomed
	root := c.cur
	if root.word&(stateMask|chained|special) != running|chained || c.inside != OpNone {
		c.releaseOtherwise(id)
		return
	}
	s := c.sides.all[root.ref-1]
	slot := s.top - 1
	t := c.tramps.all[slot]
	if t.word&(owed|hasSide) != 0 || // what is armed there, the root has shown
		id != fiber.NewTrampolineID(slot, t.gen) {
		c.releaseOtherwise(id)
		return
	}
	c.pass(&t.header, released, uint32(id.ID().Raw()))
	c.unstack(root, s, t)
	c.tramps.give(slot, t)
	if invariants.On {
		c.verify()
	}
}

// releaseOtherwise is ReleaseTrampoline where it may be refused, or something is to be
// handed on.
func (c *Core) releaseOtherwise(id fiber.TrampolineID) {
	c.enter(OpRelease)
	h, top := c.executing(OpRelease)
	if top != id.ID() || !h.has(tramp) || h.has(armed|latched) {
		c.refuse(OpRelease)
	}
	if h.has(owed) {
		c.forfeit(h, fiber.Ticket{ID: top, Seq: h.seq})
		c.forget(h)
	}
	t := c.tramps.get(top)
	p, panicked := c.sideOf(h).outcome()
	var heir *panicstate.State
	c.pass(h, released, uint32(top.Raw()))
	c.freeSide(h)
	c.unstack(c.cur, c.sideOf(c.cur), t)
	c.tramps.give(top.Index(), t)
	if c.watch != nil {
		c.report(Transition{Op: OpRelease, ID: top})
	}
	if panicked {
		caller, _ := c.executing(OpRelease)
		heir = c.panicsOf(caller)
	}
	c.deliverPending()
	c.leave()
	if panicked {
		heir.Adopt(p)
	}
}

// unstack takes the top of the current chain off. A chain that is gone leaves its root as
// it was before.
func (c *Core) unstack(root *header, s *side, t *trampoline) {
	s.top = t.caller
	if s.top != 0 {
		return
	}
	if root.has(nests) {
		root.clear(barred)
	}
	root.clear(chained)
	if !s.native {
		root.clear(frames)
		if root.has(doomed) {
			root.set(reapable)
		}
	}
}

func (p *trampolines) give(slot uint32, t *trampoline) {
	p.live--
	t.word &= stateMask | tramp
	t.ref, t.value, t.caller, t.root = 0, 0, 0, 0
	if t.gen == p.lives {
		p.retired++
		return
	}
	p.free = append(p.free, slot)
}
