package scheduler

import (
	"iter"

	"github.com/selvage-dev/selvage/fiber"
)

// chains has the steps on a whole chain: a regular root and the trampolines above it. The links
// go downward: the root's extension record names the top, each trampoline its caller, and the
// last one names no caller. A step on a whole chain takes time in proportion to its length and
// happens within one operation, so no caller of the scheduler ever sees half a chain.
type chains struct{ core *Core }

func (c *Core) chains() chains { return chains{c} }

// topOf is the innermost trampoline of a root, which must be chained: the context that executes
// when the chain is mounted, and the only one of the chain that can have a wait of its own.
func (f chains) topOf(root *header) (*header, fiber.ID) {
	slot := f.core.reg.ext(root).top - 1
	return &f.core.tramps.all[slot].header, f.core.tramps.id(slot).ID()
}

// rootOf is the regular fiber at the bottom of the chain that a living fiber is in; the fiber
// itself if it is regular; nil if it is not alive.
func (f chains) rootOf(id fiber.ID) (*header, fiber.ID) {
	c := f.core
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

// push puts a dead trampoline on top of the current chain, with its next generation. The first
// call of a chain notes whether the root had frames before, for pop, and keeps the root's record.
// It sets frames, because a kill must let native code unwind instead of dropping it.
func (f chains) push(root *header, s *ext, t *trampoline, slot uint32) fiber.TrampolineID {
	c := f.core
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

// pop takes the top off the current chain. A root without a chain gets back the flags that
// it had before its first call; one that was killed meanwhile has no frames left to unwind, so
// it is dropped at the end of its slice.
func (f chains) pop(root *header, s *ext, t *trampoline) {
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
		if root.has(killPending) {
			root.set(reapable)
		}
	}
}

// park blocks the executing trampoline and, in the same step, every caller below it on its
// callee. Nothing is mounted afterwards. The armed bit is cleared in the trampoline and in its
// root first: the gate lets no state change while a wait is armed (I13).
func (f chains) park(h *header) {
	c := f.core
	slot := c.reg.ext(c.cur).top - 1
	h.clear(armed)
	c.mirror(h)
	passSlow(c, h, parked, c.tramps.raw(slot))
	for at := c.tramps.all[slot].caller; at != 0; at = c.tramps.all[at-1].caller {
		caller := &c.tramps.all[at-1].header
		passSlow(c, caller, parked, c.tramps.raw(at-1))
		caller.set(onCallee)
	}
	c.passCurrent(parked)
	c.cur.set(onCallee)
	c.cur = c.none
}

// unpark makes the trampolines of a chain Running (carried) and its root Runnable; only the
// root is enqueued (I4). It is enqueued last, when the whole chain can be mounted. The callers of
// a pinned call are Running already, under the pump that will continue it, and the root must not
// be enqueued: it can be mounted only by Unpin, when its frames are on top of the stack again.
func (f chains) unpark(id fiber.ID) {
	c := f.core
	t := c.tramps.all[id.Index()]
	passSlow(c, &t.header, carried, uint32(id.Raw()))
	root := c.slots.at(t.root)
	if c.isPinned(root) {
		return
	}
	for at := t.caller; at != 0; at = c.tramps.all[at-1].caller {
		caller := &c.tramps.all[at-1].header
		caller.clear(onCallee)
		passSlow(c, caller, carried, c.tramps.raw(at-1))
	}
	root.clear(onCallee)
	passSlow(c, root, woken, t.root)
	c.run().join(root, fiber.NewRegularID(t.root, root.gen).ID())
}

// isPinned reports whether a living regular fiber lies under a pump: it is Running, and neither
// current nor lent. These are the only three places of a Running fiber (I2), so the pins need
// not be searched.
func (c *Core) isPinned(h *header) bool {
	return h.word&(stateMask|lent) == running && h != c.cur
}

// ChainOf yields the native calls that a regular fiber is in, the innermost first; nothing
// for a fiber that is in none or not alive. It is valid until the next operation.
func (f Inspect) ChainOf(root fiber.RegularID) iter.Seq[fiber.TrampolineID] {
	c := f.core
	return func(yield func(fiber.TrampolineID) bool) {
		h := c.slots.find(root.ID())
		if h == nil || !h.has(chained) {
			return
		}
		for at := c.reg.ext(h).top; at != 0; at = c.tramps.all[at-1].caller {
			if !yield(c.tramps.id(at - 1)) {
				return
			}
		}
	}
}

// mirror copies the armed and latched bits of the executing context to its root, so that the
// fast paths, which look at the root only, refuse (I13). Every change of these bits in a
// trampoline is followed by mirror before the operation ends. A root that nests has both bits
// set during its calls instead (barred).
func (c *Core) mirror(h *header) {
	if h != c.cur && !c.cur.has(nests) {
		c.cur.word = c.cur.word&^(armed|latched) | h.word&(armed|latched)
	}
}
