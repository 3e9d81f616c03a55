package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Poll serves everything that does not come from a running slice, in the order of
// docs/design.md#loop, and begins the next batch. It tells whether a fiber is ready. The loop calls it
// whenever ScheduleNext returns nil, with nobody current. A loop that takes its steps in
// another order, or something between them, calls each once a turn instead.
func (c *Core) Poll() bool {
	c.Steps().DrainCommands()
	if len(c.collectors)+len(c.devices) > 0 {
		c.Steps().DrainCompletions()
		c.Steps().DrainSubmissions()
	}
	c.mustBeBetween()
	c.enter(OpPoll) // CheckTimers and BeginBatch in one
	c.newTurn()
	c.beginBatch()
	c.leave()
	return c.queued() > 0
}

// DrainCommands is the step of a Poll that carries out what other goroutines have posted
// (Inbox, Waker), in order. It tells whether there was anything.
func (f Steps) DrainCommands() bool {
	c := f.core
	c.mustBeBetween()
	if c.inbox.pending() {
		c.inbox.drain(c)
		return true
	}
	return false
}

// DrainCompletions is the step in which devices complete the operations that have ended.
func (f Steps) DrainCompletions() {
	c := f.core
	c.mustBeBetween()
	for _, d := range c.collectors {
		d.Collect()
	}
}

// DrainSubmissions is the step in which devices hand on what was submitted, and learn what
// nobody waits for any more.
func (f Steps) DrainSubmissions() {
	c := f.core
	c.mustBeBetween()
	if len(c.devices) > 0 {
		c.serveDevices()
	}
}

// CheckTimers is the step in which the time moves on, to stand still until the next one, and
// the deadlines that are due end waits and tell alarms.
func (f Steps) CheckTimers() {
	c := f.core
	c.mustBeBetween()
	c.enter(OpPoll)
	c.newTurn()
	c.leave()
}

// BeginBatch is the last step: it looks up whom ScheduleNext hands out, and tells whether a
// fiber is ready.
func (f Steps) BeginBatch() bool {
	c := f.core
	c.mustBeBetween()
	c.enter(OpPoll)
	c.beginBatch()
	c.leave()
	return c.queued() > 0
}

// mustBeBetween refuses a step of the loop in the middle of a slice or of an operation.
func (c *Core) mustBeBetween() {
	if c.cur != c.none || c.inside != c.outside {
		c.refuse(OpPoll)
	}
}

// newTurn lets the time move on. Nobody asks the clock in a turn in which nobody needs it.
func (c *Core) newTurn() {
	c.stale = true
	if c.timed > 0 {
		c.Now()
		c.fireTimers()
	}
}

// Now is the instant of this turn: it does not move between two polls.
func (c *Core) Now() fiber.Time {
	if c.stale {
		c.now = max(c.now, c.clock.Now())
		c.stale = false
	}
	return c.now
}

func (c *Core) beginBatch() {
	c.endBatch()
	c.draw()
	if c.taken == c.drawn && c.ready.len() > 0 {
		c.reapHeads()
		c.draw()
	}
}

// reapHeads buries the doomed fibers without frames that have come to the head of the
// queue, and finds out whatever else is wrong with the head.
func (c *Core) reapHeads() {
	r := &c.ready
	for ; r.head != r.tail; r.head++ {
		slot := r.at(r.head)
		h := c.slots.at(slot)
		if h.word&stateMask != runnable {
			c.broken(OpNext, rule.I1, "the head of the ready queue, f%d, is %v, not runnable", slot, h.state())
		}
		if !h.has(reapable) {
			return
		}
		c.bury(h, slot, reaped, nil, c.sideOf(h).cause)
		if c.watch != nil {
			c.report(Transition{Op: OpReap, ID: fiber.NewRegularID(slot, h.gen).ID()})
		}
		c.deliverPending()
	}
}
