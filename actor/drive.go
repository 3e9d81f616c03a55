package actor

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// driver gives the fibers of a scheduler some slices. If none is ready then and they have
// given the system nothing to do, it parks until there is something; w.idle if there never
// will be.
type driver func(ctx context.Context, w work) error

// work is the part of a system that needs no fibers: whether something is to be done, when
// at the latest there will be, and what to say if there never will be.
type work interface {
	due() bool
	wake() fiber.Time
	idle(scheduler.Verdict) error
}

// driverOf hides what the fibers carry, so that a System need not know.
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
