package actor

import (
	"context"

	"github.com/selvage-dev/selvage/scheduler"
)

// driver gives the fibers of a scheduler some slices. If none is ready then and they have
// given the system nothing to do, it parks until there is something; ErrIdle if there
// never will be.
type driver func(ctx context.Context, due func() bool) error

// driverOf hides what the fibers carry, so that a System need not know.
func driverOf[T any](sched *scheduler.Scheduler[T], m scheduler.Machine[T]) driver {
	return func(ctx context.Context, due func() bool) error {
		for f := sched.ScheduleNext(); f != nil; f = sched.ScheduleNext() {
			for sched.Finish(m.Resume(sched, f)) {
			}
		}
		if sched.Poll() || due() {
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
