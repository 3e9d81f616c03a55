package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
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
	lives   uint32 // generations of a slot
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

// raw is the wire form of a slot of this pool.
func (p *trampolines) raw(slot uint32) uint32 { return uint32(p.id(slot).ID().Raw()) }

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

// parkChain blocks the executing trampoline and, in the same step, every caller below
// it on its callee; nothing is mounted any more (docs/design.md#trampolines).
func (c *Core) parkChain(h *header) {
	slot := c.sideOf(c.cur).top - 1
	h.clear(armed)
	c.mirror(h)
	c.pass(h, parked, c.tramps.raw(slot))
	for at := c.tramps.all[slot].caller; at != 0; at = c.tramps.all[at-1].caller {
		caller := &c.tramps.all[at-1].header
		c.pass(caller, stacked, c.tramps.raw(at-1))
		caller.set(onCallee)
	}
	c.passCurrent(stacked)
	c.cur.set(onCallee)
	c.leaveCPU()
}

// unparkChain makes the trampolines of a chain Running (carried) and its root
// Runnable; only the root is enqueued. The callers of a pinned one run already, under
// the pump that will take it up.
func (c *Core) unparkChain(id fiber.ID) {
	t := c.tramps.all[id.Index()]
	c.pass(&t.header, carried, uint32(id.Raw()))
	root := c.slots.at(t.root)
	if c.isPinned(root) {
		return
	}
	for at := t.caller; at != 0; at = c.tramps.all[at-1].caller {
		caller := &c.tramps.all[at-1].header
		caller.clear(onCallee)
		c.pass(caller, carried, c.tramps.raw(at-1))
	}
	root.clear(onCallee)
	c.pass(root, woken, t.root)
	c.join(root, fiber.NewRegularID(t.root, root.gen).ID())
}
