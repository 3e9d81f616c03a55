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
		if id.Index() >= c.slots.used || h != c.slots.at(id.Index()) || h.gen != id.Generation() || h.has(reapable) {
			v.broken(rule.I1, "the batch looked ahead to %v, which is not what is mounted then, or is doomed", id)
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
