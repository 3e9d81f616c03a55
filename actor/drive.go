package actor

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
)

// driver gives the fibers of a scheduler some slices, or parks until there is something
// to do; ErrIdle if there never will be.
type driver func(ctx context.Context) error

// driverOf hides what the fibers carry, so that a System need not know.
func driverOf[T any](sched *scheduler.Scheduler[T], m scheduler.Machine[T]) driver {
	return func(ctx context.Context) error {
		for f := sched.ScheduleNext(); f != nil; f = sched.ScheduleNext() {
			for sched.Finish(m.Resume(sched, f)) {
			}
		}
		if sched.Poll() {
			return nil
		}
		switch v := sched.Idle(); v.Kind {
		case scheduler.Busy:
		case scheduler.Waiting:
			sched.Park(ctx, v.Until)
		default:
			return ErrIdle
		}
		return nil
	}
}
