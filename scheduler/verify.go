package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Verify compares everything derived from the fibers' states with the states: the
// state–location table of DESIGN §2.2, line by line. It takes time in proportion to
// the number of slots. A difference is a bug of this library: it panics with an
// *InvariantError and poisons the scheduler. The checked build (-tags invariants)
// does this after every transition.
func (f Inspect) Verify() {
	c := f.core
	if c.op != c.restOp {
		c.reportOverlap(OpIdle)
	}
	c.verify()
}

// census is what one walk over the slots finds, to be compared with the counters.
type census struct {
	queued       []bool   // by slot: it stands in the ready queue
	pinned       []bool   // by slot: it lies under a pump
	sideUse      []uint8  // by index-1: unused, free or in use
	sourceRefs   []uint32 // by index-1: how many waits refer to it
	live         int
	running      int
	lent         int
	retired      int
	chainMembers int
	timed        int
	external     int
}

func (c *Core) verify() {
	n := &census{
		queued:     make([]bool, c.slots.used),
		pinned:     make([]bool, c.slots.used),
		sideUse:    make([]uint8, len(c.reg.exts.all)),
		sourceRefs: make([]uint32, len(c.reg.sources.entries)),
	}
	c.verifyFree(n)
	c.verifyQueue(n)
	c.verifyPins(n)
	for slot := range c.slots.used {
		h := c.slots.at(slot)
		if h.state() != fiber.Dead {
			c.verifyRegular(n, h, slot)
		} else if h.word != 0 || n.queued[slot] {
			c.broken(c.op, rule.I1, "dead slot f%d is in the ready queue or keeps flags %#x", slot, uint32(h.word))
		}
		c.verifyOperations(h, slot)
	}
	for slot, t := range c.tramps.all {
		c.verifyTrampoline(n, t, uint32(slot))
	}
	c.verifyAlarms(n)
	c.verifyAbsent()
	c.verifyCounters(n)
}

// verifyQueue: the ready queue holds Runnable regular fibers, each once (I1), and the
// batch that was looked up is its front.
func (c *Core) verifyQueue(n *census) {
	r := &c.ring
	if c.taken > c.drawn || r.tail-r.head > uint64(len(r.slots)) || c.run().len() > len(r.slots) {
		c.broken(c.op, rule.I1, "ready queue: %d of a batch of %d taken, %d ready, capacity %d", c.taken, c.drawn, c.run().len(), len(r.slots))
	}
	for i := c.taken; i < c.drawn; i++ {
		id, h := c.ids[i], c.ahead[i]
		if id.Index() >= c.slots.used || h != c.slots.at(id.Index()) || h.gen != id.Generation() || h.has(reapable) {
			c.broken(c.op, rule.I1, "the batch looked ahead to %v, which is not what is mounted then, or is doomed", id)
		}
	}
	for slot := range c.run().all() {
		if slot >= c.slots.used || n.queued[slot] {
			c.broken(c.op, rule.I1, "f%d is in the ready queue twice, or is no slot", slot)
		}
		n.queued[slot] = true
		if s := c.slots.at(slot).state(); s != fiber.Runnable {
			c.broken(c.op, rule.I1, "f%d is in the ready queue but %v", slot, s)
		}
	}
}

func (c *Core) verifyRegular(n *census, h *header, slot uint32) {
	id := fiber.NewRegularID(slot, h.gen).ID()
	n.live++
	if (h.state() == fiber.Runnable) != n.queued[slot] {
		c.broken(c.op, rule.I1, "%v is %v, in the ready queue: %v", id, h.state(), n.queued[slot])
	}
	if h.state() == fiber.Running {
		n.running++
	}
	c.verifySlot(n, h, slot, id)
	if h.has(tramp) {
		c.broken(c.op, rule.I4, "%v is in the regular pool and flagged as a trampoline", id)
	}
	c.verifyHeader(n, h, id)
	c.verifyFate(h, id)
	c.verifyChain(n, h, slot, id)
	c.verifyWait(n, h, id)
}

// verifySlot: who is Running executes in exactly one place: here, under a pump, or with
// whom it was lent to, for whom nothing is armed (I2).
func (c *Core) verifySlot(n *census, h *header, slot uint32, id fiber.ID) {
	places := 0
	if c.cur == h && c.curID == id {
		places++
	}
	if n.pinned[slot] {
		places++
	}
	if h.has(lent) {
		places++
		n.lent++
	}
	runs := h.state() == fiber.Running
	if runs != (places == 1) || places > 1 || h.has(lent) && h.has(armed|latched|nests) {
		c.broken(c.op, rule.I2, "%v is %v, current: %v, pinned: %v, lent: %v", id, h.state(), c.cur == h, n.pinned[slot], h.has(lent))
	}
}

// verifyFate: the flags of a killed or cancelled root say what its record says.
func (c *Core) verifyFate(h *header, id fiber.ID) {
	s := c.reg.ext(h)
	if h.has(killPending) && (s == nil || s.cause == nil) {
		c.broken(c.op, rule.I12, "%v is doomed without a cause", id)
	}
	if h.has(reapable) != (h.has(killPending) && !h.has(frames)) {
		c.broken(c.op, rule.I12, "%v: reapable %v, doomed %v, frames %v", id, h.has(reapable), h.has(killPending), h.has(frames))
	}
	pending := s != nil && s.cancel == cancelRequested && s.masks == 0 && !h.has(killPending)
	if h.has(cancelPending) != pending {
		c.broken(c.op, rule.I12, "%v: alarmed %v, unmasked cancellation pending %v", id, h.has(cancelPending), pending)
	}
}

// verifyChain: the members of a chain share their root's fate (§2.2, last column).
func (c *Core) verifyChain(n *census, h *header, slot uint32, id fiber.ID) {
	s := c.reg.ext(h)
	if h.has(chained) != (s != nil && s.top != 0) {
		c.broken(c.op, rule.I4, "%v: chained %v without the chain to match", id, h.has(chained))
	}
	if !h.has(chained) {
		if h.has(onCallee) {
			c.broken(c.op, rule.I2, "%v waits for a callee it has not", id)
		}
		return
	}
	fate := fiber.Running
	if h.state() == fiber.Blocked {
		fate = fiber.Blocked
	}
	if h.has(onCallee) != (fate == fiber.Blocked) || !h.has(frames) {
		c.broken(c.op, rule.I2, "%v is %v under its callee; it waits for it: %v", id, h.state(), h.has(onCallee))
	}
	if h.has(nests) && (h.state() != fiber.Running || h.word&barred != barred) {
		c.broken(c.op, rule.I2, "%v nests and is %v in a native call, flags %#x", id, h.state(), uint32(h.word))
	}
	for at := s.top; at != 0; at = c.tramps.all[at-1].caller {
		if n.chainMembers++; n.chainMembers > c.tramps.live || at > uint32(len(c.tramps.all)) {
			c.broken(c.op, rule.I4, "the chain of %v has no end", id)
		}
		t := c.tramps.all[at-1]
		waits := n.pinned[slot] && at == s.top && t.state() == fiber.Blocked
		if t.root != slot || t.state() != fate && !waits || t.has(onCallee) != (fate == fiber.Blocked && at != s.top) {
			c.broken(c.op, rule.I4, "t%d, %v, does not fit the chain of %v", at-1, t.state(), id)
		}
	}
	if c.cur == h && !h.has(nests) && (h.word^c.tramps.all[s.top-1].word)&(armed|latched) != 0 {
		c.broken(c.op, rule.I13, "%v does not show what is armed at the top of its chain", id)
	}
}

func (c *Core) verifyTrampoline(n *census, t *trampoline, slot uint32) {
	id := c.tramps.id(slot).ID()
	switch {
	case !t.has(tramp) || t.state() == fiber.Runnable:
		c.broken(c.op, rule.I4, "%v is %v: a trampoline is never in the ready queue", id, t.state())
	case t.state() == fiber.Dead:
		if t.word != tramp {
			c.broken(c.op, rule.I4, "dead %v keeps flags %#x", id, uint32(t.word))
		}
		return
	case t.has(killPending | cancelPending | reapable | chained | frames | nests | fatal | movable):
		c.broken(c.op, rule.I4, "%v keeps flags of a root: %#x", id, uint32(t.word))
	case t.kind() == fiber.IO:
		c.broken(c.op, rule.I8, "%v waits for I/O itself", id)
	}
	c.verifyHeader(n, &t.header, id)
	c.verifyWait(n, &t.header, id)
}

func (c *Core) verifyCounters(n *census) {
	switch {
	case n.live != c.Inspect().Live():
		c.broken(c.op, rule.I12, "%d fibers are alive; %+v", n.live, c.counts)
	case uint64(n.retired) != c.slots.retired:
		c.broken(c.op, rule.I5, "%d slots are neither alive nor free, %d retired", n.retired, c.slots.retired)
	case n.lent != c.lent:
		c.broken(c.op, rule.I2, "%d fibers are lent, %d counted", n.lent, c.lent)
	case (n.running == len(c.pins)+c.lent+1) != (c.cur != c.none) || c.nobody.word != 0:
		c.broken(c.op, rule.I2, "%d fibers run, somebody is current: %v, %d are pinned, %d lent", n.running, c.cur != c.none, len(c.pins), c.lent)
	case n.chainMembers != c.tramps.live:
		c.broken(c.op, rule.I4, "%d trampolines are in chains, %d are acquired", n.chainMembers, c.tramps.live)
	case len(c.tramps.all) != len(c.tramps.free)+c.tramps.live+int(c.tramps.retired):
		c.broken(c.op, rule.I5, "%d trampolines: %d free, %d acquired, %d retired", len(c.tramps.all), len(c.tramps.free), c.tramps.live, c.tramps.retired)
	case n.timed != c.timers.live:
		c.broken(c.op, rule.I10, "%d deadlines are live, %d counted", n.timed, c.timers.live)
	case n.external != c.external:
		c.broken(c.op, rule.I10, "%d waits are external, %d counted", n.external, c.external)
	case len(c.wakeups) > 0:
		c.broken(c.op, rule.I9, "%d wake-ups were decided and not delivered", len(c.wakeups))
	case len(c.orders) > 0:
		c.broken(c.op, rule.I9, "%d orders of links were decided and not carried out", len(c.orders))
	}
	for i, refs := range n.sourceRefs {
		if e := &c.reg.sources.entries[i]; e.refs != refs {
			c.broken(c.op, rule.I10, "%d waits refer to source slot %d, %d counted", refs, i+1, e.refs)
		}
	}
	for i, use := range n.sideUse {
		if use == sideUnknown {
			c.broken(c.op, rule.I12, "side record %d is taken by nobody", i+1)
		}
	}
}
