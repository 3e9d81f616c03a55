package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// ResetTimer sets the timer to fire at an instant (see Within), even if fibers wait on it.
// won: it was set before and had not fired. Errors: *Interrupt, wait.ErrForeign,
// scheduler.ErrTooManyTimers.
func (f *Fiber) ResetTimer(t *wait.Timer, at fiber.Time) (won bool, err error) {
	if err := f.use("ResetTimer", t.Source()); err != nil {
		return false, err
	}
	if t.Deadline() == fiber.Never && at != fiber.Never {
		if err := f.killedBy(f.rt.sched.Attachments().TimerRoom()); err != nil {
			return false, err
		}
	}
	if f.rt.explored {
		f.touch(at) // timers of one instant fire in the order in which they were set
	}
	won = t.Reset(at)
	f.rt.sched.Attachments().SetAlarm(t.Alarm())
	return won, nil
}

// StopTimer keeps the timer from firing. won: it was set and had not fired. A killed
// fiber may still stop one. The error is wait.ErrForeign.
func (f *Fiber) StopTimer(t *wait.Timer) (won bool, err error) {
	if err := f.give("StopTimer", t.Source()); err != nil {
		return false, err
	}
	won = t.Stop()
	f.rt.sched.Attachments().SetAlarm(t.Alarm())
	return won, nil
}

// WaitTimer waits until the timer has fired; not at all if it has. Errors: *Interrupt,
// wait.ErrForeign.
func (f *Fiber) WaitTimer(t *wait.Timer) error { return f.WaitTimerUntil(t, fiber.Never) }

// WaitTimerUntil is WaitTimer with a deadline, and ErrTimeout.
func (f *Fiber) WaitTimerUntil(t *wait.Timer, deadline fiber.Time) error {
	if err := f.use("WaitTimer", t.Source()); err != nil || t.Fired() {
		return err
	}
	_, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), t.ParkWait, t.Source())
	return err
}
