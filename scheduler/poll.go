package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Poll serves everything that does not come from a running slice, in this order: commands from
// other goroutines, completions, submissions, timers. Then it begins the next batch. It
// tells whether a fiber is ready. The loop calls it whenever ScheduleNext returns nil, with
// no fiber current. A loop that needs another order, or something between the steps, calls
// each of Steps once a turn instead.
func (c *Core) Poll() bool {
	f := c.Steps()
	f.DrainCommands()
	if len(c.collectors)+len(c.devices) > 0 {
		f.DrainCompletions()
		f.DrainSubmissions()
	}
	f.mustBeBetween()
	c.enter(op.Poll) // CheckTimers and BeginBatch in one operation
	f.newTurn()
	f.beginBatch()
	c.leave()
	return c.run().len() > 0
}

// DrainCommands is the step of a Poll that carries out what other goroutines have posted
// (Inbox, Waker), in order. It tells whether there was anything.
func (f Steps) DrainCommands() bool {
	f.mustBeBetween()
	if c := f.core; c.inbox.pending() {
		c.inbox.drain(c)
		return true
	}
	return false
}

// DrainCompletions is the step in which devices complete the operations that have ended.
func (f Steps) DrainCompletions() {
	f.mustBeBetween()
	for _, d := range f.core.collectors {
		d.Collect()
	}
}

// DrainSubmissions is the step in which devices start what was submitted, and receive the
// tokens that nothing waits for any more.
func (f Steps) DrainSubmissions() {
	f.mustBeBetween()
	if c := f.core; len(c.devices) > 0 {
		c.abandoned = c.io.Cancellations(c.abandoned[:0])
		for _, d := range c.devices {
			d.Serve(c.abandoned)
		}
	}
}

// CheckTimers is the step in which the time advances, to stand still until the next turn, and
// due deadlines end waits and fire alarms.
func (f Steps) CheckTimers() {
	f.mustBeBetween()
	f.core.enter(op.Poll)
	f.newTurn()
	f.core.leave()
}

// BeginBatch is the last step: it looks up the fibers that ScheduleNext returns, and tells
// whether a fiber is ready.
func (f Steps) BeginBatch() bool {
	f.mustBeBetween()
	f.core.enter(op.Poll)
	f.beginBatch()
	f.core.leave()
	return f.core.run().len() > 0
}

// mustBeBetween refuses a step of the loop in the middle of a slice or of an operation.
func (f Steps) mustBeBetween() {
	if c := f.core; c.cur != c.none || c.op != c.restOp {
		c.refuse(op.Poll)
	}
}

// newTurn lets the time advance. The clock is not read in a turn that does not need it.
func (f Steps) newTurn() {
	c := f.core
	c.stale = true
	if c.timers.live > 0 {
		c.Now()
		c.fireTimers()
	}
}

// Now is the instant of this turn: it does not change between two polls.
func (c *Core) Now() fiber.Time {
	if c.stale {
		c.now = max(c.now, c.clock.Now())
		c.stale = false
	}
	return c.now
}

func (f Steps) beginBatch() {
	c := f.core
	c.run().endBatch()
	c.run().draw()
	if c.taken == c.drawn && c.ring.len() > 0 {
		f.reapHeads()
		c.run().draw()
	}
}

// reapHeads ends the killed fibers without frames that have come to the head of the queue,
// and reports any other reason why the head cannot be mounted.
func (f Steps) reapHeads() {
	c := f.core
	r := &c.ring
	for ; r.head != r.tail; r.head++ {
		slot := r.at(r.head)
		h := c.slots.at(slot)
		if h.word&stateMask != runnable {
			c.broken(op.Next, rule.I1, "the head of the ready queue, f%d, is %v, not runnable", slot, h.state())
		}
		if !h.has(reapable) {
			return
		}
		c.endFiber(h, slot, reaped, nil, c.reg.ext(h).cause)
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Reap, ID: fiber.NewRegularID(slot, h.gen).ID()})
		}
		c.deliverPending()
	}
}

// AddDevice has the device served from now on, after the devices that were added before it.
func (f Ops) AddDevice(d Device) {
	c := f.core
	c.devices = append(c.devices, d)
	if k, ok := d.(Collector); ok {
		c.collectors = append(c.collectors, k)
	}
	if src, ok := d.(ExternalSource); ok {
		c.externalSources = append(c.externalSources, src)
	}
}
