package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// TimerState is a deadline that is on.
type TimerState struct {
	Deadline fiber.Time
	// Kind is "wait", the deadline of a fiber's wait; "grace", the end of a cancelled fiber's grace
	// period; "alarm", of an object; "time limit" of a Group; or "rate", when a Group that its rate
	// has stopped goes on.
	Kind   string
	Fiber  fiber.ID // of a wait or a grace period; else 0
	Group  *Group   // of a time limit or a rate; else nil
	source fiber.Source
}

// Name asks the object of an alarm for its description, like SourceState.Name; "" for other kinds.
func (t TimerState) Name() string {
	if t.source == nil {
		return ""
	}
	return nameOf(t.source)
}

// Timers counts the deadlines that are on, and appends to memory[:0] up to n of them: the next ones, in the
// order in which they come due. It changes nothing, and allocates nothing if the memory of an earlier
// call has room. It takes time in proportion to n, and to how many deadlines are as near as the next n.
func (f Inspect) Timers(n int, memory []TimerState) (on int, next []TimerState) {
	c := f.core
	c.enter(op.Idle)
	defer c.leave()
	clear(memory[:cap(memory)]) // objects of an earlier call are not kept alive
	next = memory[:0]
	if n = min(n, c.timers.live); n <= 0 {
		return c.timers.live, next
	}
	c.soonest = c.timers.wheel.Soonest(n, c.timers.isLive, c.soonest[:0])
	for _, e := range c.soonest {
		next = append(next, f.timerState(e))
	}
	return c.timers.live, next
}

func (f Inspect) timerState(e wheel.Entry) TimerState {
	c, t := f.core, TimerState{Deadline: e.Deadline}
	switch e.Kind {
	case endsWait:
		t.Kind, t.Fiber = "wait", e.Ticket.ID
	case endsGrace:
		t.Kind, t.Fiber = "grace", e.Ticket.ID
	case firesAlarm:
		t.Kind, t.source = "alarm", c.reg.sources.at(uint32(e.Ticket.ID)).source
	case endsGroup:
		t.Kind, t.Group = "time limit", c.groups.all[e.Ticket.ID-1]
	default:
		t.Kind, t.Group = "rate", c.groups.all[e.Ticket.ID-1]
	}
	return t
}
