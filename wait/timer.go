package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Timer fires once at an instant. Any number of fibers may wait for that. Once it has
// fired, a wait for it would not block until it is set again or stopped. Reset and Stop report
// whether it was set and had not fired; there is nothing to drain after them.
//
//	won := timer.Reset(deadline)        // or Stop
//	sched.SetAlarm(timer.Alarm())       // gives the new deadline to the scheduler
//	if !timer.Fired() {
//		t := sched.Arm(fiber.OnQueue(), timer.Source())
//		err := timer.ParkWait(t)
//		sched.Block()
//		t, res := sched.Claim()         // OK: it has fired
//	}
//
// It is also the Case of a Select that is ready once it has fired; a nil *Timer is a
// disabled case. The zero Timer is not set.
//
// Invariant, checked by the property test after every operation: no fiber waits for a
// timer that has fired.
type Timer struct {
	Object
	phase    timerPhase
	deadline fiber.Time // while it is set
	waiting  waitq.Queue[struct{}]
}

type timerPhase uint8

const (
	timerOff   timerPhase = iota // never set, or stopped
	timerSet                     // will fire at the deadline
	timerFired                   // until it is set or stopped
)

// Reset sets the timer to fire at an instant; one that has passed fires at the next
// poll. True: it was set and had not fired, so the earlier setting never fires. Fibers
// that wait continue to wait, for the new instant. fiber.Never stops the timer.
func (tm *Timer) Reset(at fiber.Time) (won bool) {
	won = tm.Stop()
	if at != fiber.Never {
		tm.phase, tm.deadline = timerSet, at
	}
	return won
}

// Stop keeps the timer from firing. True: it was set and had not fired. False: it has
// fired, or was not set. Afterwards it is not set, and fibers that wait continue to wait
// until it is set again.
func (tm *Timer) Stop() (won bool) {
	won = tm.phase == timerSet
	tm.phase = timerOff
	return won
}

// Fired reports whether it has fired since it was last set or stopped. A Stop clears it: false then
// says only that the timer is not set.
func (tm *Timer) Fired() bool { return tm.phase == timerFired }

// Deadline is when it fires; fiber.Never if it is not set or has fired.
func (tm *Timer) Deadline() fiber.Time {
	if tm.phase != timerSet {
		return fiber.Never
	}
	return tm.deadline
}

// ParkWait registers a fiber that waits for the timer to fire. Errors: ErrForeign, and
// ErrReady if it has fired.
func (tm *Timer) ParkWait(t fiber.Ticket) error {
	c := (*timerCase)(tm)
	if err := c.MayPark(t); err != nil {
		return err
	}
	c.Park(t, 0)
	return nil
}

// Case gives Select the operations.
func (tm *Timer) Case() CaseOps {
	if tm == nil {
		return disabled{}
	}
	return (*timerCase)(tm)
}

func (tm *Timer) refuse(why error) *Error {
	return &Error{Op: "wait", Object: tm.title(), Err: why}
}

func (tm *Timer) title() string { return tm.label("timer") }

// timerCase is a Timer as Select sees it: the same memory, other methods.
type timerCase Timer

// Source is the timer's.
func (c *timerCase) Source() fiber.Source { return (*Timer)(c).Source() }

// Ready reports whether it has fired.
func (c *timerCase) Ready() bool { return c.phase == timerFired }

// Commit does nothing: a timer stays fired.
func (c *timerCase) Commit() fiber.Wakeup { return fiber.Wakeup{} }

// MayPark refuses what ParkWait refuses.
func (c *timerCase) MayPark(t fiber.Ticket) error {
	switch tm := (*Timer)(c); {
	case !tm.belongs(t.Scheduler()):
		return tm.refuse(ErrForeign)
	case tm.Fired():
		return tm.refuse(ErrReady)
	}
	return nil
}

// Park registers the ticket with the tag.
func (c *timerCase) Park(t fiber.Ticket, tag uint32) {
	if !c.waiting.Push(t, tag, struct{}{}) {
		panic(outOfOrder("wait", (*Timer)(c).title(), t))
	}
}

// Collect reports whether the timer ended the wait. There is no value to take.
func (c *timerCase) Collect(_ fiber.Ticket, code fiber.Code) bool { return code == fiber.OK }
