package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// timerSource is a Timer as the scheduler sees it: the same memory, other methods.
type timerSource Timer

var (
	_ fiber.Alarm     = (*timerSource)(nil)
	_ fiber.Described = (*timerSource)(nil)
)

// Source is what a wait for the timer is armed with; nil for a nil timer.
func (tm *Timer) Source() fiber.Source {
	if tm == nil {
		return nil
	}
	return (*timerSource)(tm)
}

// Alarm is what the host passes to scheduler.SetAlarm after Reset and Stop.
func (tm *Timer) Alarm() fiber.Alarm { return (*timerSource)(tm) }

// Deadline is that of the timer.
func (src *timerSource) Deadline() fiber.Time { return (*Timer)(src).Deadline() }

// Due fires the timer if its instant has come, and appends all waiting fibers in order of
// arrival.
func (src *timerSource) Due(now fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	if src.phase != timerSet || now < src.deadline {
		return dst
	}
	src.phase = timerFired
	for t, tag, _, ok := src.waiting.Pop(); ok; t, tag, _, ok = src.waiting.Pop() {
		dst = append(dst, src.woken(t, fiber.OK, tag))
	}
	return dst
}

// Waiting counts the fibers that wait for the timer.
func (src *timerSource) Waiting() int { return src.waiting.Waiting() }

// Withdraw removes a waiter that gave up. The other waiters still wait for the instant.
func (src *timerSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	src.waiting.Withdraw(t)
	return dst
}

// Holds reports whether the ticket waits for the timer.
func (src *timerSource) Holds(t fiber.Ticket) bool { return src.waiting.Holds(t) }

// Describe is for reports: `timer "tick" (due at 5s, waiting: 1)`.
func (src *timerSource) Describe() string {
	tm := (*Timer)(src)
	state := "not set"
	switch tm.phase {
	case timerSet:
		state = fmt.Sprintf("due at %v", tm.deadline)
	case timerFired:
		state = "fired"
	}
	return fmt.Sprintf("%s (%s, waiting: %d)", tm.title(), state, tm.waiting.Waiting())
}

// Holders appends no fiber: any fiber could set the timer.
func (src *timerSource) Holders(dst []fiber.ID) []fiber.ID { return dst }
