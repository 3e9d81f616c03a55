package lib

import (
	"math"
	"math/rand"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/host/internal/race"
	"github.com/selvage-dev/selvage/host/minigo/internal/value"
)

func timeNatives() map[string]Func {
	return map[string]Func{
		"time.now":            func(c *Call) { c.ReturnWord(uint64(c.now())) },
		"time.durationString": func(c *Call) { c.ReturnString(time.Duration(c.Word()).String()) },
		"time.format":         func(c *Call) { c.ReturnString(time.Unix(0, int64(c.Word())).UTC().Format(c.String())) },
		"time.Sleep":          sleep,
		"time.startAlarm":     startAlarm,
		"time.resetAlarm":     resetAlarm,
	}
}

// AlarmBytes is about how much memory an alarm takes that is set, without its channel.
const AlarmBytes = 250

// Alarms calls f with the channel of each alarm that is set.
func (h *Host) Alarms(f func(ch any)) {
	for a := h.alarms; a != nil; a = a.next {
		f(a.ch)
	}
}

// list adds an alarm to those that are set.
func (a *alarm) list() {
	if a.next = a.host.alarms; a.next != nil {
		a.next.before = a
	}
	a.host.alarms = a
}

// unlist removes it.
func (a *alarm) unlist() {
	if a.next != nil {
		a.next.before = a.before
	}
	if a.before != nil {
		a.before.next = a.next
	} else {
		a.host.alarms = a.next
	}
	a.next, a.before = nil, nil
}

// BytesOf is about how much memory an object of the library takes.
func BytesOf(ref any) int {
	if _, ok := ref.(rand.Source); ok {
		return sourceBytes
	}
	return otherBytes
}

const (
	sourceBytes = 4900
	otherBytes  = 128
)

// now is the current time in nanoseconds since 1970.
func (h *Host) now() int64 {
	start, since := h.Start.UnixNano(), int64(h.Core.Now())
	return start + min(since, math.MaxInt64-max(0, start))
}

// instant converts nanoseconds since 1970 into the scheduler's time.
func (h *Host) instant(ns int64) fiber.Time { return fiber.Time(max(0, ns-h.Start.UnixNano())) }

func sleep(c *Call) {
	d := time.Duration(c.Word())
	if d <= 0 {
		c.Then = Yield
		return
	}
	if err := c.Core.Attachments().TimerRoom(); err != nil {
		c.Then, c.Err = Panic, err
		return
	}
	c.Await(nap(c.Core.Now().After(d)))
}

// nap is a wait that the clock ends.
type nap fiber.Time

func (n nap) Reason() fiber.Reason                   { return fiber.Until(fiber.Time(n)) }
func (n nap) Source() fiber.Source                   { return nil }
func (n nap) Park(fiber.Ticket) error                { return nil }
func (n nap) Done(*Call, fiber.Ticket, fiber.Result) {}

// alarm sends the time on a channel when it is due. Receivers of the channel wait for it.
type alarm struct {
	anchor fiber.Anchor
	start  int64 // the time of the scheduler's instant 0
	ch     *value.Words
	due    fiber.Time
	period int64 // of a ticker; 0 is once
	host   *Host // lists it while it is set
	set    race.Clock

	next, before *alarm
}

func (a *alarm) Anchored() *fiber.Anchor                                    { return &a.anchor }
func (a *alarm) Withdraw(_ fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup { return dst }
func (a *alarm) Holds(fiber.Ticket) bool                                    { return false }
func (a *alarm) Deadline() fiber.Time                                       { return a.due }

// Waiting counts the receivers of the channel.
func (a *alarm) Waiting() int {
	receivers, _ := a.ch.Waiting()
	return receivers
}

// Due sends; a full channel still holds an earlier firing. The scheduler sets a ticker to its next instant,
// which is after now: those that have passed are left out.
func (a *alarm) Due(now fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	if a.period > 0 {
		late := int64(now - a.due)
		a.due = a.due.After(time.Duration(late - late%a.period)).After(time.Duration(a.period))
	} else {
		a.due = fiber.Never
		a.unlist()
	}
	at := a.start + int64(now)
	ok, w, err := a.ch.TrySend(uint64(at))
	if ok && a.host.Watcher != nil {
		a.host.Watcher.TimerSent(a.set, a.ch, w)
	}
	if err != nil || w.IsZero() {
		return dst
	}
	return append(dst, w)
}

// watch orders what the goroutine has done before what follows from the alarm.
func (a *alarm) watch() {
	if a.host.Watcher != nil {
		a.set = a.host.Watcher.TimerSet()
	}
}

func startAlarm(c *Call) {
	ch, at := c.Ref().(*value.Words), int64(c.Word())
	a := &alarm{start: c.Start.UnixNano(), ch: ch, due: c.instant(at), period: int64(c.Word()), host: c.Host}
	if err := c.Core.Attachments().TimerRoom(); err != nil {
		c.Then, c.Err = Panic, err
		return
	}
	c.Alloc(2 * AlarmBytes)
	a.list()
	a.watch()
	c.Core.Attachments().SetAlarm(a)
	c.ReturnRef(a)
}

// resetAlarm rearms an alarm, or stops it if the instant is negative, and reports whether it was
// armed.
func resetAlarm(c *Call) {
	a, ok := c.Ref().(*alarm)
	at, period := int64(c.Word()), int64(c.Word())
	if !ok {
		c.Fail("time: timer was not made by NewTimer")
		return
	}
	was := a.due != fiber.Never
	if err := c.Core.Attachments().TimerRoom(); at >= 0 && !was && err != nil {
		c.Then, c.Err = Panic, err
		return
	}
	if was {
		a.unlist()
	}
	a.due, a.period = fiber.Never, period
	if at >= 0 {
		a.due = c.instant(at)
		a.list()
		a.watch()
	}
	c.Core.Attachments().SetAlarm(a)
	c.ReturnBool(was)
}
