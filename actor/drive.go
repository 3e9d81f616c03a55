package actor

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// driver runs one batch of the scheduler's fibers. If no fiber is ready afterward and the system
// has nothing to do, it parks until there is something. If there never will be, it returns w.idle.
type driver func(ctx context.Context, w work) error

// work is what a driver asks a system: whether there is something to do (due), at which instant
// there will be at the latest (wake), and the error if there never will be (idle).
type work interface {
	due() bool
	wake() fiber.Time
	idle(scheduler.Verdict) error
}

// driverOf hides the payload type of the fibers, which a System does not depend on.
func driverOf[T any](sched *scheduler.Scheduler[T], m scheduler.Machine[T]) driver {
	return func(ctx context.Context, w work) error {
		for f := sched.ScheduleNext(); f != nil; f = sched.ScheduleNext() {
			for sched.Finish(m.Resume(sched, f)) {
			}
		}
		if sched.Poll() || w.due() {
			return nil
		}
		v, until := sched.Steps().IdleVerdictWithReport(), w.wake()
		switch {
		case v.Kind == scheduler.Busy:
		case v.Kind == scheduler.Waiting:
			sched.Steps().WaitForInput(ctx, min(until, v.Until))
		case until != fiber.Never:
			sched.Steps().WaitForInput(ctx, until)
		default:
			return w.idle(v)
		}
		return nil
	}
}
