package scheduler

// Poll serves everything that does not come from a running slice, in the order of
// DESIGN §3: commands from other goroutines (completions among them), then due
// timers; then it begins the next batch. It tells whether a fiber is ready. The loop
// calls it whenever ScheduleNext returns nil, with nobody current.
func (c *Core) Poll() bool {
	if c.cur != c.none {
		c.refuse(OpPoll)
	}
	c.inbox.drain(c)
	c.enter(OpPoll)
	c.now = max(c.now, c.clock.Now())
	if c.timed > 0 {
		c.fireTimers()
	}
	c.beginBatch()
	c.leave()
	return c.ready.len() > 0
}

// beginBatch reaps the doomed fibers at the head of the queue and looks up the next
// batch: sixteen loads that do not wait for each other, which is why a million fibers
// in random order cost little more than eight.
func (c *Core) beginBatch() {
	c.reapHeads()
	r := &c.ready
	for n := min(r.tail-r.head, batch); uint64(r.stop) < n; r.stop++ {
		slot := r.at(r.head + uint64(r.stop))
		h := c.slots.at(slot)
		if h.word&(stateMask|reapable) != runnable {
			return
		}
		c.ahead[r.stop], c.aheadRaw[r.stop] = h, slot
	}
}

// reapHeads buries the doomed fibers without frames that have come to the head of the
// queue, and looks at what else stopped the batch there.
func (c *Core) reapHeads() {
	r := &c.ready
	for r.settle(); r.head != r.tail; r.pop() {
		slot := r.at(r.head)
		h := c.slots.at(slot)
		if h.word&stateMask != runnable {
			c.broken(OpNext, "I1", "the head of the ready queue, f%d, is %v, not runnable", slot, h.state())
		}
		if !h.has(reapable) {
			return
		}
		c.bury(h, slot, reaped, nil, c.sideOf(h).cause)
		c.deliverPending()
	}
}
