package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// What an entry of the timer wheel does when it is due.
const (
	endsWait uint8 = iota
	endsGrace
	tellsAlarm // its ticket is a setting
)

// TimerRoom is ErrTooManyTimers while Config.MaxTimers are on. To arm a wait with a deadline,
// or set an alarm that is not set, is then a contract error.
func (f Attachments) TimerRoom() error {
	c := f.core
	if c.timed >= c.cfg.MaxTimers {
		return fmt.Errorf("%w (%d are on)", ErrTooManyTimers, c.timed)
	}
	return nil
}

// mustHaveTimerRoom is for a host that did not ask.
func (c *Core) mustHaveTimerRoom(op Op) {
	if err := c.Attachments().TimerRoom(); err != nil {
		c.refuseAs(op, rule.CallOrder, "%v: ask TimerRoom before the wait, and have the fiber know", err)
	}
}

// setTimer registers the deadline of the wait being armed, if it has one.
func (c *Core) setTimer(h *header, t fiber.Ticket, r fiber.Reason) {
	if r.Deadline == fiber.Never {
		return
	}
	if r.Kind == fiber.Timer && !h.has(hasSide) {
		h.setDeadline(r.Deadline)
	} else {
		c.needSide(h).deadline = r.Deadline
	}
	c.addTimer(wheel.Entry{Deadline: r.Deadline, Ticket: t, Kind: endsWait})
	h.set(timed)
}

func (c *Core) addTimer(e wheel.Entry) {
	if c.timers == nil {
		c.timers = new(wheel.Wheel)
	}
	c.timers.Add(e)
	c.timed++
}

// clearTimer leaves the entry in the wheel, where only timer entries may linger
// stale; the wheel is swept when most of it is.
func (c *Core) clearTimer(h *header) {
	if h.has(timed) {
		h.clear(timed)
		c.staleTimer()
	}
	if s := c.sideOf(h); s != nil {
		s.deadline = fiber.Never
	} else if h.kind() == fiber.Timer {
		h.setDeadline(0)
	}
}

func (c *Core) staleTimer() {
	c.timed--
	c.timers.NoteStale()
	if c.timers.NeedsCompaction() {
		c.timers.Compact(c.isLive)
	}
}

func (c *Core) isLive(e wheel.Entry) bool {
	if e.Kind == tellsAlarm {
		return c.alarms.isOn(e.Ticket)
	}
	h := c.find(e.Ticket.ID)
	if h == nil {
		return false
	}
	if e.Kind == endsGrace {
		s := c.sideOf(h)
		return s != nil && s.grace
	}
	return h.seq == e.Ticket.Seq && h.has(timed) && h.waits()
}

// NextDeadline is when the scheduler must be polled at the latest, busy or not: see
// Verdict.Until. Never if there is no deadline.
func (f Steps) NextDeadline() fiber.Time {
	c := f.core
	c.enter(OpIdle)
	defer c.leave()
	return c.nextDeadline()
}

// nextDeadline is the earliest deadline that is still on; Never if none is.
func (c *Core) nextDeadline() fiber.Time {
	if c.timed > 0 {
		if until, ok := c.timers.Next(c.isLive); ok {
			return until
		}
	}
	return fiber.Never
}

// fireTimers ends the waits and tells the alarms that are due, in the order of their deadlines and, for
// equal ones, of their registration.
func (c *Core) fireTimers() {
	for n := 0; ; n++ {
		if n%batch == 0 {
			c.lookAtTimers()
		}
		e, ok := c.timers.PopDue(c.now)
		if !ok {
			return
		}
		if !c.isLive(e) {
			continue
		}
		c.timed--
		switch e.Kind {
		case tellsAlarm:
			c.tellAlarm(e.Ticket)
		case endsGrace:
			c.sideOf(c.find(e.Ticket.ID)).grace = false
			_ = c.slay(e.Ticket.ID, ErrGraceOver) // alive, or its timer would not be live
			if c.watch != nil {
				c.report(Transition{Op: OpExpire, ID: e.Ticket.ID, Grace: e.Deadline})
			}
		default:
			c.expire(e.Ticket.ID)
		}
		c.deliverPending()
		c.settled()
	}
}

// lookAtTimers touches the headers of the fibers whose timers come next: loads that do
// not wait for each other, as lookAhead's.
func (c *Core) lookAtTimers() {
	for _, e := range c.timers.Ahead(batch) {
		if h := c.find(e.Ticket.ID); h != nil {
			c.touched ^= h.word
		}
	}
}

func (c *Core) expire(id fiber.ID) {
	h := c.find(id)
	h.clear(timed)
	code := fiber.TimedOut
	if h.kind() == fiber.Timer {
		code = fiber.OK
	}
	c.end(h, id, fiber.Result{Code: code}, tokenAbandoned)
	if c.watch != nil {
		c.report(Transition{Op: OpExpire, ID: id})
	}
}
