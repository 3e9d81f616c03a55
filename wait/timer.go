package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

var (
	_ fiber.Alarm     = (*Timer)(nil)
	_ fiber.Described = (*Timer)(nil)
	_ Case            = (*Timer)(nil)
)

// Timer fires once at an instant. Any number of fibers may wait for that; once it has
// fired, nobody needs to wait until it is set again. What Reset and Stop report is
// whether they came before it fired, and there is nothing to drain after them.
//
//	won := timer.Reset(deadline)        // or Stop
//	sched.SetAlarm(timer)               // hands the new deadline to the scheduler
//	if !timer.Fired() {
//		t := sched.Arm(fiber.OnQueue(), timer)
//		err := timer.ParkWait(t)
//		sched.Block()
//		t, res := sched.Claim()         // OK: it has fired
//	}
//
// It is also the Case of a Select that is ready once it has fired; a nil *Timer is a
// disabled one. The zero Timer is not set.
//
// Invariant, checked by the property test after every operation: nobody waits on one
// that has fired.
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
	timerFired                   // and stays so until it is set or stopped
)

// Reset sets the timer to fire at an instant; one that has passed fires at the next
// poll. True: it was set and had not fired, so it will not do that any more. Those who
// wait go on waiting, for the new instant. fiber.Never stops it.
func (tm *Timer) Reset(at fiber.Time) (won bool) {
	won = tm.Stop()
	if at != fiber.Never {
		tm.phase, tm.deadline = timerSet, at
	}
	return won
}

// Stop keeps the timer from firing. True: it was set and had not fired. False: it has
// fired, or was not set. Afterwards it is not set, and those who wait, wait until
// somebody sets it.
func (tm *Timer) Stop() (won bool) {
	won = tm.phase == timerSet
	tm.phase = timerOff
	return won
}

// Fired tells whether it has fired since it was set last.
func (tm *Timer) Fired() bool { return tm.phase == timerFired }

// Deadline is when it fires; fiber.Never if it is not set or has fired.
func (tm *Timer) Deadline() fiber.Time {
	if tm.phase != timerSet {
		return fiber.Never
	}
	return tm.deadline
}

// Due fires the timer if its instant has come, and appends everybody who waits, in the
// order of their arrival. The scheduler calls it.
func (tm *Timer) Due(now fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	if tm.phase != timerSet || now < tm.deadline {
		return dst
	}
	tm.phase = timerFired
	for t, tag, _, ok := tm.waiting.Pop(); ok; t, tag, _, ok = tm.waiting.Pop() {
		dst = append(dst, tm.woken(t, fiber.OK, tag))
	}
	return dst
}

// Waiting counts those who wait for it to fire.
func (tm *Timer) Waiting() int { return tm.waiting.Waiting() }

// Admit is as for a Chan: it refuses a fiber of another scheduler.
func (tm *Timer) Admit(scheduler uint16) error {
	if tm.belongs(scheduler) {
		return nil
	}
	return tm.refuse(ErrForeign)
}

// ParkWait registers a fiber that waits for the timer to fire. Errors: ErrForeign, and
// ErrReady if it has fired.
func (tm *Timer) ParkWait(t fiber.Ticket) error {
	if err := tm.MayPark(t); err != nil {
		return err
	}
	tm.Park(t, 0)
	return nil
}

// Withdraw removes one that gave up. Nobody can go on because of that.
func (tm *Timer) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	tm.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits for the timer.
func (tm *Timer) Holds(t fiber.Ticket) bool { return tm.waiting.Holds(t) }

// Describe is for reports: `timer "tick" (due at 5s, waiting: 1)`.
func (tm *Timer) Describe() string {
	state := "not set"
	switch tm.phase {
	case timerSet:
		state = fmt.Sprintf("due at %v", tm.deadline)
	case timerFired:
		state = "fired"
	}
	return fmt.Sprintf("%s (%s, waiting: %d)", tm.title(), state, tm.waiting.Waiting())
}

// Holders appends nobody: any fiber could set it.
func (tm *Timer) Holders(dst []fiber.ID) []fiber.ID { return dst }

// Source makes it a Case: itself, or nil.
func (tm *Timer) Source() fiber.Source {
	if tm == nil {
		return nil
	}
	return tm
}

// Ready tells whether it has fired.
func (tm *Timer) Ready() bool { return tm != nil && tm.Fired() }

// Commit does nothing: a timer stays fired.
func (tm *Timer) Commit() fiber.Wakeup { return fiber.Wakeup{} }

// MayPark refuses what ParkWait refuses.
func (tm *Timer) MayPark(t fiber.Ticket) error {
	switch {
	case tm == nil:
		return nil
	case !tm.belongs(t.Scheduler()):
		return tm.refuse(ErrForeign)
	case tm.Fired():
		return tm.refuse(ErrReady)
	}
	return nil
}

// Park registers the ticket with the tag of its case.
func (tm *Timer) Park(t fiber.Ticket, tag uint32) {
	if tm != nil && !tm.waiting.Push(t, tag, struct{}{}) {
		panic(outOfOrder("wait", tm.title(), t))
	}
}

// Collect tells whether the timer ended the wait. There is nothing to take.
func (tm *Timer) Collect(_ fiber.Ticket, code fiber.Code) bool { return code == fiber.OK }

func (tm *Timer) refuse(why error) *Error {
	return &Error{Op: "wait", Object: tm.title(), Err: why}
}

func (tm *Timer) title() string { return tm.label("timer") }
