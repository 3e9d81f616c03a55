package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/wheel"
	"github.com/selvage-dev/selvage/quota"
)

// isTimerLive tells whether an entry of the wheel still has something to end. An entry is not
// removed when its wait ends, so its number decides: Seq and the settings of alarms never
// repeat (I5). The entry of a grace period has no Seq; the ID with its generation and the
// flag of the record identify it.
func (c *Core) isTimerLive(e wheel.Entry) bool {
	switch e.Kind {
	case firesAlarm:
		return c.timers.alarms.isOn(e.Ticket)
	case endsGroup, resumesGroup:
		return c.groups.isOn(e.Ticket)
	}
	h := c.find(e.Ticket.ID)
	if h == nil {
		return false
	}
	if e.Kind == endsGrace {
		s := c.reg.ext(h)
		return s != nil && s.grace
	}
	return h.seq == e.Ticket.Seq && h.has(timed) && h.waits()
}

// TimerRoom returns ErrTooManyTimers while Config.MaxTimers deadlines are on. Arming a wait
// with a deadline, or setting an alarm that is not set, is then a contract error
// (CALL-ORDER): the caller asks before it registers the wait anywhere, when an error still
// changes nothing. If one more timer of the current fiber would pass a quota, its Group ends, and
// the error is the *quota.Error. O(1).
func (f Attachments) TimerRoom() error {
	err := f.timerError()
	f.core.groups.current().endIfPassed(err)
	return err
}

// timerError is why the current fiber cannot set one more timer, or nil.
func (f Attachments) timerError() error {
	c := f.core
	if c.timers.live >= c.cfg.MaxTimers {
		return fmt.Errorf("%w (%d are on)", ErrTooManyTimers, c.timers.live)
	}
	if g := c.groups.current(); g != nil {
		if err := g.account.Take(quota.Timers, 1); err != nil {
			return err
		}
		g.account.Give(quota.Timers, 1)
	}
	return nil
}

// mustHaveTimerRoom refuses an operation of a host that did not ask TimerRoom.
func (c *Core) mustHaveTimerRoom(call Op) {
	if err := c.Attachments().timerError(); err != nil {
		c.refuseAs(call, rule.CallOrder, "%v: ask TimerRoom before the wait, and return its error to the fiber", err)
	}
}

// setTimer registers the deadline of the wait being armed, if it has one. A plain sleep keeps
// its 64 bits in the header (ref and value, both unused in a Timer wait), so a sleeping fiber
// costs as little as a blocked one; any other wait needs ref for itself and gets a record. A
// deadline that has passed already is due at the next CheckTimers.
func (c *Core) setTimer(h *header, t fiber.Ticket, r fiber.Reason) {
	if r.Deadline == fiber.Never {
		return
	}
	if r.Kind == fiber.Timer && !h.has(hasExt) {
		h.setDeadline(r.Deadline)
	} else {
		c.reg.needExt(h).deadline = r.Deadline
	}
	c.timers.add(wheel.Entry{Deadline: r.Deadline, Ticket: t, Kind: endsWait})
	h.set(timed)
	c.groups.takeTimer(t.ID)
}

// NextDeadline is when the scheduler must be polled at the latest, busy or idle: see
// Verdict.Until. Never if there is no deadline. Amortized O(1): it drops stale entries in
// front of the earliest live one.
func (f Steps) NextDeadline() fiber.Time {
	c := f.core
	c.enter(op.Idle)
	defer c.leave()
	return c.timers.next()
}

// fireTimers ends the waits and fires the alarms that are due, ordered by deadline and, for
// equal deadlines, by registration. What one of them decides is delivered before the next one
// fires, so the order of effects is the order of deadlines. An alarm that is set again to an
// instant that is not after now fires again here: Due must give a later one.
func (c *Core) fireTimers() {
	for n := 0; ; n++ {
		// As many at a time as a batch has: enough misses to overlap, few enough to stay in
		// the cache until their turn.
		if n%batchSize == 0 {
			c.prefetchTimers()
		}
		e, ok := c.timers.wheel.PopDue(c.now)
		if !ok {
			return
		}
		if !c.isTimerLive(e) {
			continue
		}
		if c.cfg.Choose != nil {
			e = c.Attachments().chooseDue(e)
		}
		// Before its effect: what ends the wait must not count the entry as stale once more.
		c.timers.live--
		switch e.Kind {
		case firesAlarm:
			c.Attachments().fireAlarm(e.Ticket)
		case endsGrace:
			c.endGrace(e)
		case endsGroup:
			c.groups.expire(e.Ticket)
		case resumesGroup:
			c.groups.resume(e.Ticket)
		default:
			c.expire(e.Ticket.ID)
		}
		c.deliverPending()
		c.settled()
		if c.cfg.Choose != nil && c.Attachments().othersWait() {
			return
		}
	}
}

// prefetchTimers loads the headers of the fibers whose timers come next. The loads do not
// depend on each other, so their cache misses overlap. The sum is stored, or the compiler
// would remove the loads; no result depends on it.
func (c *Core) prefetchTimers() {
	for _, e := range c.timers.wheel.Ahead(batchSize) {
		if h := c.find(e.Ticket.ID); h != nil {
			c.timers.prefetched ^= h.word
		}
	}
}

// expire ends a wait whose deadline has passed. For a sleep that is success; any other wait
// has timed out, and its operation is abandoned and cancelled (I12). The flag goes first: the
// entry has left the wheel and must not be counted as stale.
func (c *Core) expire(id fiber.ID) {
	h := c.find(id)
	h.clear(timed)
	c.groups.giveTimer(id)
	code := fiber.TimedOut
	if h.kind() == fiber.Timer {
		code = fiber.OK
	}
	c.end(h, id, fiber.Result{Code: code}, tokenAbandoned)
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Expire, ID: id})
	}
}
