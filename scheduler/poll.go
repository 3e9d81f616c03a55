package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Poll serves everything that does not come from a running slice, in this order: commands
// from other goroutines, completions, submissions, timers. Then it begins the next batch. It
// tells whether a fiber is ready. The loop calls it whenever ScheduleNext returns nil, with
// no fiber current. A loop that needs another order, or something between the steps, calls
// each of Steps once a turn instead.
//
// The order is fixed, so that the same inputs give the same run (docs/design.md#determinism).
// Because a batch ends after at most sixteen fibers, every input is served however busy the
// fibers are. A turn in which nothing has arrived allocates nothing.
func (c *Core) Poll() bool {
	if invariants.On && c.cur == c.none {
		c.mistakes().mustHold(op.Poll)
	}
	f := c.Steps()
	f.DrainCommands()
	// A scheduler without devices pays one comparison for these two steps.
	if len(c.collectors)+len(c.devices) > 0 {
		f.DrainCompletions()
		f.DrainSubmissions()
	}
	f.mustBeBetween()
	// CheckTimers and BeginBatch in one operation: the checked build verifies once.
	c.enter(op.Poll)
	f.newTurn()
	f.beginBatch()
	c.leave()
	return c.run().len() > 0
}

// DrainCommands is the step of a Poll that carries out what other goroutines have posted
// (Inbox, Waker), in order. It tells whether there was anything. What a sender did before it
// posted happens before its command here. A command is not part of an operation: it uses the
// scheduler as the host does between slices.
func (f Steps) DrainCommands() bool {
	f.mustBeBetween()
	if r := f.core.recording; r != nil {
		r.endSlices()
	}
	if c := f.core; c.inbox.pending() {
		c.inbox.drain(c)
		return true
	}
	return false
}

// DrainCompletions is the step in which devices complete the operations that have ended. It
// comes before DrainSubmissions, which then need not cancel an abandoned operation that has
// ended by itself.
func (f Steps) DrainCompletions() {
	f.mustBeBetween()
	for _, d := range f.core.collectors {
		d.Collect()
	}
}

// DrainSubmissions is the step in which devices start what was submitted, and receive the
// tokens that nothing waits for any more. Each token is given out once, to every device,
// because the scheduler does not know which one works on it.
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
// due deadlines end waits and fire alarms. Amortized O(1) for each timer that is due.
func (f Steps) CheckTimers() {
	f.mustBeBetween()
	f.core.enter(op.Poll)
	f.newTurn()
	f.core.leave()
}

// BeginBatch is the last step: it looks up the fibers that ScheduleNext returns, and tells
// whether a fiber is ready. If so, the batch has one. Killed fibers without frames that have
// come to the head of the queue end here, and paused ones are held.
func (f Steps) BeginBatch() bool {
	f.mustBeBetween()
	f.core.enter(op.Poll)
	f.beginBatch()
	f.core.leave()
	return f.core.run().len() > 0
}

// mustBeBetween refuses a step of the loop in the middle of a slice or of an operation. It
// compares with restOp, not with op.None, because a scheduler with an observer rests in
// another value.
func (f Steps) mustBeBetween() {
	if c := f.core; c.cur != c.none || c.op != c.restOp {
		c.refuse(op.Poll)
	}
}

// newTurn lets the time advance. The clock is not read in a turn that does not need it: the
// next Now reads it.
func (f Steps) newTurn() {
	c := f.core
	f.endIfWaitsUsedUp()
	c.stale = true
	if c.timers.live > 0 {
		c.Now()
		c.fireTimers()
	}
}

// beginBatch draws a batch. If the fiber at the head cannot be mounted, draw stops at once;
// only then are the killed fibers at the head ended, the paused ones held, and a batch is drawn
// behind them. So the common turn looks at each header once.
func (f Steps) beginBatch() {
	c := f.core
	if r := c.recording; r != nil {
		r.endTurn()
	}
	c.run().endBatch()
	if c.emptyAt == lead {
		c.run().draw()
	} else {
		c.Choices().draw()
	}
	if c.taken == c.drawn && (c.ring.len() > 0 || c.pauses.active > 0) {
		f.clearHeads()
		f.draw()
	}
}

func (f Steps) draw() {
	if c := f.core; c.emptyAt == lead {
		c.run().draw()
	} else {
		c.Choices().draw()
	}
}

// clearHeads brings a fiber to the head of the queue that can be mounted, if there is one. If not,
// the round ends in which Groups have used up their shares.
func (f Steps) clearHeads() {
	for f.skipHeads(); f.core.ring.len() == 0 && f.core.groups.newRound(); f.skipHeads() {
	}
}

// skipHeads ends the killed fibers without frames that have come to the head of the queue, holds
// the paused ones, and reports any other reason why the head cannot be mounted (I1). The killed die here, in their
// turn, and not in Kill, so that a kill costs no search of the queue.
//
// The head leaves the ring after its death is settled, not before: what the death wakes must
// find a ring that is not empty, or join would add it to a batch that draw then overwrites.
func (f Steps) skipHeads() {
	c := f.core
	r := &c.ring
	for ; r.head != r.tail; r.head++ {
		slot := r.at(r.head)
		h := c.slots.at(slot)
		if h.word&stateMask != runnable {
			c.broken(op.Next, rule.I1, "the head of the ready queue, f%d, is %v, not runnable", slot, h.state())
		}
		if !h.has(reapable) {
			in := c.holding().pausedBy(h, slot)
			if in == nil {
				return
			}
			c.holding().hold(h, slot, in)
			continue
		}
		c.endFiber(h, slot, reaped, nil, c.reg.ext(h).cause)
		if c.observer != nil {
			c.observer.report(Transition{Op: op.Reap, ID: fiber.NewRegularID(slot, h.gen).ID()})
		}
		c.deliverPending()
	}
}

// AddDevice has the device served from now on, after the devices that were added before it.
// The owner calls it; a device cannot be removed. What else the device is, a Collector or an
// ExternalSource, is found out once, here.
func (f Ops) AddDevice(d Device) {
	c := f.core
	if d == nil {
		c.refuseAs(op.Poll, rule.ValidArgument, "AddDevice has no Device: pass what begins submitted operations")
	}
	c.devices = append(c.devices, d)
	if k, ok := d.(Collector); ok {
		c.collectors = append(c.collectors, k)
	}
	if src, ok := d.(ExternalSource); ok {
		c.externalSources = append(c.externalSources, src)
	}
}
