package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// fakeSource is the simplest source: a list of waiting tickets. What is assigned to a
// waiter at match time it forgets; what is forfeited it writes down.
type fakeSource struct {
	fiber.Anchor
	name      string
	waiting   []fiber.Ticket
	holders   []fiber.ID
	withdrawn []fiber.Ticket
	assigned  []fiber.Ticket
	asked     []fiber.Ticket // by Forfeit, of whichever ticket
	forfeited []fiber.Ticket
	onForfeit []fiber.Wakeup // wake-ups decided when a dead waiter forfeits
	onLeave   []fiber.Wakeup // wake-ups decided when a waiter withdraws
	call      func()         // what the source, wrongly, does inside Withdraw
}

func (b *fakeSource) park(t fiber.Ticket) { b.waiting = append(b.waiting, t) }

// match takes the first waiter out; the caller delivers to it.
func (b *fakeSource) match() fiber.Ticket {
	t := b.waiting[0]
	b.waiting = b.waiting[1:]
	b.assigned = append(b.assigned, t)
	return t
}

func (b *fakeSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if b.call != nil {
		b.call()
	}
	at := slices.Index(b.waiting, t)
	if at < 0 {
		return dst
	}
	b.waiting = slices.Delete(b.waiting, at, at+1)
	b.withdrawn = append(b.withdrawn, t)
	return append(dst, b.onLeave...)
}

func (b *fakeSource) Holds(t fiber.Ticket) bool         { return slices.Contains(b.waiting, t) }
func (b *fakeSource) Describe() string                  { return b.name }
func (b *fakeSource) Holders(dst []fiber.ID) []fiber.ID { return append(dst, b.holders...) }
func (b *fakeSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	b.asked = append(b.asked, t)
	if !slices.Contains(b.assigned, t) {
		return dst, false
	}
	b.forfeited = append(b.forfeited, t)
	return append(dst, b.onForfeit...), true
}

// plainSource is a source that only the scheduler knows of: it holds nothing.
type plainSource struct{ fiber.Anchor }

func (*plainSource) Withdraw(_ fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup { return dst }
func (*plainSource) Holds(fiber.Ticket) bool                                    { return false }

// lineSource holds those who wait, and is neither described nor an Assigner.
type lineSource struct {
	fiber.Anchor
	waiting []fiber.Ticket
}

func (l *lineSource) park(t fiber.Ticket)       { l.waiting = append(l.waiting, t) }
func (l *lineSource) Holds(t fiber.Ticket) bool { return slices.Contains(l.waiting, t) }
func (l *lineSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	l.waiting = slices.DeleteFunc(l.waiting, func(w fiber.Ticket) bool { return w == t })
	return dst
}

// ownerHook records the owners that died, and returns its wake-ups.
type ownerHook struct {
	name  string
	told  *[]string
	wakes []fiber.Wakeup
}

func (w *ownerHook) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	*w.told = append(*w.told, w.name+" of "+owner.String())
	return append(dst, w.wakes...)
}

// testAlarm is an alarm: a source that wakes all its waiters when it is due.
type testAlarm struct {
	fakeSource
	at   fiber.Time
	next []fiber.Time // what it is set to after it has rung
	rung []fiber.Time
}

func (b *testAlarm) Deadline() fiber.Time { return b.at }
func (b *testAlarm) Waiting() int         { return len(b.waiting) }

func (b *testAlarm) Due(now fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	b.rung = append(b.rung, now)
	b.at = fiber.Never
	if len(b.next) > 0 {
		b.at, b.next = b.next[0], b.next[1:]
	}
	for len(b.waiting) > 0 {
		dst = append(dst, fiber.Wakeup{Ticket: b.match(), Result: ok})
	}
	return dst
}

// newAlarm makes an alarm and sets it.
func (g *testScheduler) newAlarm(at fiber.Time) *testAlarm {
	b := &testAlarm{fakeSource: fakeSource{name: "alarm"}, at: at}
	g.Attachments().SetAlarm(b)
	return b
}

// listen blocks the current fiber until one of the alarms rings.
func (g *testScheduler) listen(r fiber.Reason, alarms ...*testAlarm) fiber.Ticket {
	g.t.Helper()
	var sources []fiber.Source
	for _, b := range alarms {
		sources = append(sources, b)
	}
	t := g.Arm(r, sources...)
	for _, b := range alarms {
		b.park(t)
	}
	g.Block()
	return t
}
