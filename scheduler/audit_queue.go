package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkQueue: the ready queue holds only Runnable regular fibers, each once (I1), and the
// batch that was looked up ahead is its front. ScheduleNext mounts a member of the batch without
// another look at its slot, so address, generation and reapable must still be right. Ring and
// batch together fit in the ring, because endBatch puts the batch back without growing it. That
// every Runnable fiber is in the queue is checked at its slot (checkRegular).
func (v *verifier) checkQueue() {
	c := v.core
	r := &c.ring
	if c.taken > c.drawn || r.tail-r.head > uint64(len(r.slots)) || c.run().len() > len(r.slots) {
		v.broken(rule.I1, "ready queue: %d of a batch of %d taken, %d ready, capacity %d", c.taken, c.drawn, c.run().len(), len(r.slots))
	}
	for i := c.taken; i < c.drawn; i++ {
		id, h := c.ids[i], c.ahead[i]
		if id.Index() >= c.slots.used || h != c.slots.at(id.Index()) || h.gen != id.Generation() || h.has(reapable) || v.isStopped(h, id.Index()) {
			v.broken(rule.I1, "the batch looked ahead to %v, which is not what is mounted then, or is doomed or paused", id)
		}
	}
	// A slot that is met twice would run twice: the second time in a state that its wait, or a
	// later fiber, has given it.
	for slot := range c.run().all() {
		if slot >= c.slots.used || v.queued[slot] {
			v.broken(rule.I1, "f%d is in the ready queue twice, or is no slot", slot)
		}
		v.queued[slot] = true
		if s := c.slots.at(slot).state(); s != fiber.Runnable {
			v.broken(rule.I1, "f%d is in the ready queue but %v", slot, s)
		}
	}
}

// checkHeld: what is paused is counted, and selection knows whether there is any; the lists of held
// fibers are linked in both directions, and each held fiber is in one of them, once (I1).
func (v *verifier) checkHeld() {
	p, left := &v.core.pauses, v.core.pauses.held
	lists := []*heldList{&p.own}
	for g := range v.core.groups.every() {
		lists = append(lists, &g.held)
		if g.isCounted {
			v.paused++
		}
		if !g.stops() && g.held != (heldList{}) {
			v.broken(rule.I1, "Group %q holds fibers, and nothing stops it", g.account.Name())
		}
	}
	if v.core.run().choosesEach() != (v.core.emptyAt != lead) || p.active != v.paused {
		v.broken(rule.I1, "%d fibers and Groups are paused, %d counted, an empty batch begins at %d", v.paused, p.active, v.core.emptyAt)
	}
	for _, l := range lists {
		before := uint32(0)
		for at := l.first; at != 0; before, at = at, p.slots[at-1].next {
			if left--; left < 0 || at > uint32(len(p.slots)) || p.slots[at-1].in != l || p.slots[at-1].prev != before {
				v.broken(rule.I1, "f%d is in a list of held fibers that is not its own, or twice", at-1)
			}
		}
		if l.last != before {
			v.broken(rule.I1, "a list of held fibers ends at %d, not at %d", before, l.last)
		}
	}
	if left != 0 {
		v.broken(rule.I1, "%d of the %d held fibers are in no list", left, p.held)
	}
}

// isStopped reports whether a fiber that need not unwind is paused, or its Group, otherwise than by the end of its share:
// the selection of a fiber can use that up.
func (v *verifier) isStopped(h *header, slot uint32) bool {
	stopped := v.core.reg.isPaused(h)
	for g := v.core.groups.of(fiber.NewRegularID(slot, h.gen).ID()); g != nil; g = g.parent {
		stopped = stopped || g.paused || g.wait != 0
	}
	return stopped && !h.has(killPending)
}

// checkQueues: between operations every wake-up and order that was decided has been
// carried out (I9). An operation that forgets deliverPending would leave them to a later one,
// which might be refused or never come.
func (v *verifier) checkQueues() {
	if n := len(v.core.wakeups); n > 0 {
		v.broken(rule.I9, "%d wake-ups were decided and not delivered", n)
	}
	if n := len(v.core.orders); n > 0 {
		v.broken(rule.I9, "%d orders of links were decided and not carried out", n)
	}
}
