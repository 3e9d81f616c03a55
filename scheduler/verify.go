package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
)

// Verify compares everything derived from the fibers' states with the states: the
// state–location table of DESIGN §2.2, line by line. It takes time in proportion to
// the number of slots. A difference is a bug of this library: it panics with an
// *InvariantError and poisons the scheduler. The checked build (-tags invariants)
// does this after every transition.
func (c *Core) Verify() {
	if c.poison != nil {
		panic(c.poison)
	}
	c.verify()
}

// census is what one walk over the slots finds, to be compared with the counters.
type census struct {
	queued       map[uint32]bool
	live         int
	chainMembers int
	timed        int
	external     int
	sides        int
}

func (c *Core) verify() {
	n := census{queued: make(map[uint32]bool, c.ready.len())}
	c.verifyQueue(&n)
	for slot := range c.slots.used {
		if h := c.slots.at(slot); h.state() != fiber.Dead {
			c.verifyRegular(&n, h, slot)
		} else if h.word&^stateMask != 0 || n.queued[slot] {
			c.broken(c.inside, "I1", "dead slot f%d is in the ready queue or keeps flags %#x", slot, uint32(h.word))
		}
	}
	for slot, t := range c.tramps.all {
		c.verifyTrampoline(&n, t, uint32(slot))
	}
	c.verifyCounters(&n)
}

// verifyQueue: the ready queue holds Runnable regular fibers, each once (I1).
func (c *Core) verifyQueue(n *census) {
	r := &c.ready
	if r.taken > r.stop || r.len() < 0 || r.len() > len(r.slots) {
		c.broken(c.inside, "I1", "ready queue: %d of a batch of %d taken, %d ready, capacity %d", r.taken, r.stop, r.len(), len(r.slots))
	}
	for slot := range r.all() {
		if slot >= c.slots.used || n.queued[slot] {
			c.broken(c.inside, "I1", "f%d is in the ready queue twice, or is no slot", slot)
		}
		n.queued[slot] = true
		if s := c.slots.at(slot).state(); s != fiber.Runnable {
			c.broken(c.inside, "I1", "f%d is in the ready queue but %v", slot, s)
		}
	}
}

func (c *Core) verifyRegular(n *census, h *header, slot uint32) {
	id := fiber.NewRegularID(slot, h.gen).ID()
	n.live++
	if (h.state() == fiber.Runnable) != n.queued[slot] {
		c.broken(c.inside, "I1", "%v is %v, in the ready queue: %v", id, h.state(), n.queued[slot])
	}
	if (h.state() == fiber.Running) != (c.cur == h && c.curRaw == slot) {
		c.broken(c.inside, "I2", "%v is %v, current: %v", id, h.state(), c.cur == h)
	}
	if h.has(tramp) {
		c.broken(c.inside, "I4", "%v is in the regular pool and flagged as a trampoline", id)
	}
	if h.has(reapable) != (h.has(doomed) && !h.has(frames)) {
		c.broken(c.inside, "I12", "%v: reapable %v, doomed %v, frames %v", id, h.has(reapable), h.has(doomed), h.has(frames))
	}
	c.verifyChain(n, h, slot, id)
	c.verifyWait(n, h, id)
}

// verifyChain: the members of a chain share their root's fate (§2.2, last column).
func (c *Core) verifyChain(n *census, h *header, slot uint32, id fiber.ID) {
	s := c.sideOf(h)
	if h.has(chained) != (s != nil && s.top != 0) {
		c.broken(c.inside, "I4", "%v: chained %v without the chain to match", id, h.has(chained))
	}
	if !h.has(chained) {
		if h.has(onCallee) {
			c.broken(c.inside, "I2", "%v waits for a callee it has not", id)
		}
		return
	}
	top := s.top - 1
	topBlocked := c.tramps.all[top].state() == fiber.Blocked
	if topBlocked != (h.state() == fiber.Blocked) || topBlocked != h.has(onCallee) || !h.has(frames) {
		c.broken(c.inside, "I2", "%v is %v under a top that is blocked: %v", id, h.state(), topBlocked)
	}
	for at := s.top; at != 0; at = c.tramps.all[at-1].caller {
		t := c.tramps.all[at-1]
		n.chainMembers++
		if t.root != slot || (t.state() == fiber.Blocked) != topBlocked ||
			t.has(onCallee) != (topBlocked && at != s.top) || at != s.top && t.has(armed|latched) {
			c.broken(c.inside, "I4", "t%d does not fit the chain of %v", at-1, id)
		}
	}
}

func (c *Core) verifyTrampoline(n *census, t *trampoline, slot uint32) {
	id := c.tramps.id(slot).ID()
	switch {
	case !t.has(tramp) || t.state() == fiber.Runnable:
		c.broken(c.inside, "I4", "%v is %v: a trampoline is never in the ready queue", id, t.state())
	case t.state() == fiber.Dead:
		if t.word != tramp {
			c.broken(c.inside, "I4", "dead %v keeps flags %#x", id, uint32(t.word))
		}
		return
	case t.state() == fiber.Blocked && t.kind() == fiber.IO && !t.has(onCallee):
		c.broken(c.inside, "I8", "%v waits for I/O itself", id)
	}
	c.verifyWait(n, &t.header, id)
}

// verifyWait: what the wait registered is there exactly while it waits (I10, I13).
func (c *Core) verifyWait(n *census, h *header, id fiber.ID) {
	if h.has(hasSide) {
		n.sides++
	}
	if h.has(armed) && h.has(latched) || h.has(armed|latched) && !(h.state() == fiber.Running && c.armable(h)) {
		c.broken(c.inside, "I13", "%v is %v with a wait armed or latched but not executing", id, h.state())
	}
	mirrored := c.cur == h && h.has(chained)
	waits := h.waits() && !mirrored
	if h.has(timed) {
		n.timed++
		if !waits {
			c.broken(c.inside, "I10", "%v has a live deadline and does not wait", id)
		}
	}
	if h.has(external) {
		n.external++
		if !waits {
			c.broken(c.inside, "I10", "%v is counted as external and does not wait", id)
		}
	}
	if s := c.sideOf(h); s != nil && s.grace && !h.has(tramp) {
		n.timed++
	}
	c.verifySources(h, id, waits)
}

// armable: the header is the executing context's, or its root's, which mirrors it.
func (c *Core) armable(h *header) bool {
	return c.cur == h || c.executingID() != 0 && c.find(c.executingID()) == h
}

func (c *Core) verifySources(h *header, id fiber.ID, waits bool) {
	if h.has(onCallee) || h.kind() != fiber.Queue {
		return
	}
	t := fiber.Ticket{ID: id, Seq: h.seq}
	for _, slot := range c.sourceSlots(h, nil) {
		e := c.sources.at(slot)
		if e.source == nil || e.refs == 0 || e.source.Anchored().Slot() != slot {
			c.broken(c.inside, "I10", "%v refers to source slot %d, which is free", id, slot)
		}
		if !waits && e.source.Holds(t) {
			c.broken(c.inside, "I10", "%s still holds %v, whose wait has ended", nameOf(e.source), t)
		}
	}
}

func (c *Core) verifyCounters(n *census) {
	switch {
	case n.live != c.Live():
		c.broken(c.inside, "I12", "%d fibers are alive; %d spawned, %d ended", n.live, c.counts.Spawned, c.counts.Ended)
	case n.chainMembers != c.tramps.live:
		c.broken(c.inside, "I4", "%d trampolines are in chains, %d are acquired", n.chainMembers, c.tramps.live)
	case n.timed != c.timed:
		c.broken(c.inside, "I10", "%d deadlines are live, %d counted", n.timed, c.timed)
	case n.external != c.foreign:
		c.broken(c.inside, "I10", "%d waits are external, %d counted", n.external, c.foreign)
	case n.sides != c.sides.live():
		c.broken(c.inside, "I12", "%d side records are in use, %d taken", n.sides, c.sides.live())
	}
}
