package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// trampoline stands for one synchronous call from native code. Its pool is separate
// and it never enters the ready queue (I4): the chain it is part of is mounted,
// carried and parked as one, by its root.
type trampoline struct {
	header
	caller uint32 // trampoline index+1 of the call below, 0: the root itself
	root   uint32 // slot of the root
}

// trampolines is the bounded pool of native calls.
type trampolines struct {
	all     []*trampoline
	free    []uint32
	limit   int
	live    int
	retired uint64 // slots at their last generation, never used again
}

func (p *trampolines) find(id fiber.ID) *header {
	if t := p.get(id); t != nil {
		return &t.header
	}
	return nil
}

func (p *trampolines) get(id fiber.ID) *trampoline {
	slot := id.Index()
	if slot >= uint32(len(p.all)) {
		return nil
	}
	t := p.all[slot]
	if t.gen != id.Generation() || t.state() == fiber.Dead {
		return nil
	}
	return t
}

func (p *trampolines) take() (uint32, *trampoline, bool) {
	if n := len(p.free); n > 0 {
		slot := p.free[n-1]
		p.free = p.free[:n-1]
		return slot, p.all[slot], true
	}
	if len(p.all) == p.limit {
		return 0, nil, false
	}
	p.all = append(p.all, &trampoline{header: header{word: tramp}})
	return uint32(len(p.all) - 1), p.all[len(p.all)-1], true
}

func (p *trampolines) id(slot uint32) fiber.TrampolineID {
	return fiber.NewTrampolineID(slot, p.all[slot].gen)
}

// AcquireTrampoline begins a synchronous call from native code: a trampoline, Running
// on top of the current chain. It refuses with ErrTooManyTrampolines at
// Config.MaxTrampolines, with ErrTooDeep at Config.MaxNesting if the fiber nests, and in
// a fiber that is to unwind with ErrKilled or the *PanicError of its Fatal panic.
func (c *Core) AcquireTrampoline() (fiber.TrampolineID, error) {
	c.enter(OpAcquire)
	h, _ := c.executing(OpAcquire)
	if h.has(armed | latched) {
		c.refuse(OpAcquire)
	}
	if !c.sideOf(h).runsCode() {
		c.refuseAs(OpAcquire, "I7", "a panic is unwound and no code runs that could call: run its deferred calls, or end the context")
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
	id := c.stack(slot, t)
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

func (c *Core) stack(slot uint32, t *trampoline) fiber.TrampolineID {
	root, s := c.cur, c.keepSide(c.cur)
	if s.top == 0 {
		s.native = root.has(frames)
	}
	t.gen++
	t.caller, t.root = s.top, c.curRaw
	s.top = slot + 1
	root.set(chained | frames)
	if root.has(nests) {
		root.set(barred)
	}
	id := c.tramps.id(slot)
	c.pass(&t.header, acquired, uint32(id.ID().Raw()))
	c.tramps.live++
	return id
}

// ReleaseTrampoline ends the innermost native call of the current chain. If a panic
// ended it, its value and generation pass to the caller, whose own deferred calls then
// run and may recover it (I7). A result it has not claimed is lost with it (I12).
func (c *Core) ReleaseTrampoline(id fiber.TrampolineID) {
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
	c.unstack(t)
	c.tramps.give(top.Index(), t)
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

func (c *Core) unstack(t *trampoline) {
	root, s := c.cur, c.sideOf(c.cur)
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
	if t.gen == fiber.MaxGeneration {
		p.retired++
		return
	}
	p.free = append(p.free, slot)
}

// topOf is the innermost trampoline of a chained root.
func (c *Core) topOf(root *header) (*header, fiber.ID) {
	slot := c.sideOf(root).top - 1
	return &c.tramps.all[slot].header, c.tramps.id(slot).ID()
}

// rootOf is the regular fiber at the bottom of the chain a living fiber is in.
func (c *Core) rootOf(id fiber.ID) (*header, fiber.ID) {
	if !id.IsTrampoline() {
		return c.slots.find(id), id
	}
	t := c.tramps.get(id)
	if t == nil {
		return nil, 0
	}
	h := c.slots.at(t.root)
	return h, fiber.NewRegularID(t.root, h.gen).ID()
}

// callers visits the members of a chain below the trampoline in slot, downwards; the
// last is the root.
func (c *Core) callers(slot uint32, visit func(h *header, raw uint32)) {
	t := c.tramps.all[slot]
	for t.caller != 0 {
		below := t.caller - 1
		t = c.tramps.all[below]
		visit(&t.header, uint32(c.tramps.id(below).ID().Raw()))
	}
	visit(c.slots.at(t.root), t.root)
}

// parkChain blocks the executing trampoline and, in the same step, every caller below
// it on its callee; nothing is mounted any more (DESIGN §2.5).
func (c *Core) parkChain(h *header) {
	_, id := c.topOf(c.cur)
	h.clear(armed)
	c.mirror(h)
	c.pass(h, parked, uint32(id.Raw()))
	c.callers(id.Index(), func(h *header, raw uint32) {
		c.pass(h, stacked, raw)
		h.set(onCallee)
	})
	c.leaveCPU()
}

// unparkChain makes the trampolines of a chain Running (carried) and its root
// Runnable; only the root is enqueued. The callers of a pinned one run already, under
// the pump that will take it up.
func (c *Core) unparkChain(id fiber.ID) {
	t := c.tramps.all[id.Index()]
	c.pass(&t.header, carried, uint32(id.Raw()))
	if c.isPinned(c.slots.at(t.root)) {
		return
	}
	c.callers(id.Index(), func(h *header, raw uint32) {
		h.clear(onCallee)
		if h.has(tramp) {
			c.pass(h, carried, raw)
			return
		}
		c.pass(h, woken, raw)
		c.ready.push(raw)
	})
}
