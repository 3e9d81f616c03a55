package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Do runs fn in this fiber, unless a run of the Once has succeeded before. While another fiber
// runs its function, Do waits for that. A run fails if its function returns an error, panics or
// exits, or if its fiber is killed in it. Then the next fiber that waits runs its own function;
// with wait.Poison all callers get wait.ErrRunFailed instead. Errors: fn's own,
// wait.ErrRunFailed, wait.ErrReentered if fn calls Do for the same Once, *Interrupt,
// wait.ErrForeign.
func (f *Fiber) Do(o *wait.Once, fn func() error) error { return f.DoUntil(o, fn, fiber.Never) }

// DoUntil is Do with a deadline, and ErrTimeout. The deadline limits the wait for another fiber's
// run, not a run of fn.
func (f *Fiber) DoUntil(o *wait.Once, fn func() error, deadline fiber.Time) error {
	done, err := f.TryDo(o, fn)
	if done || err != nil {
		return err
	}
	t, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return o.ParkRun(t, f.ID()) }, o.Source())
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return f.turnedAway("run", o, wait.ErrRunFailed)
	case o.Collect(t):
		return f.run(o, fn)
	}
	return nil
}

// TryDo is Do if no wait for another fiber is needed. It reports whether fn was done. Errors
// as for Do.
func (f *Fiber) TryDo(o *wait.Once, fn func() error) (done bool, err error) {
	f.own("Do")
	f.rt.given("Do", fn != nil, "a function")
	if err := f.use("Do", o.Source()); err != nil {
		return false, err
	}
	mine, done, err := o.TryRun(f.ID())
	if mine {
		err = f.run(o, fn)
		done = err == nil
		return done, err
	}
	return done, f.at(err)
}

// run is the run of this fiber. It ends the run of the Once whatever way fn ends, by a panic and a
// Goexit too, so that the fibers that wait for it are woken.
func (f *Fiber) run(o *wait.Once, fn func() error) (err error) {
	f.rt.sched.Attachments().Own(o.OwnerHook())
	end := o.Fail
	defer func() {
		if f.rt.explored && f.rt.sched.Current() == f.ID() {
			f.touch(o.Source())
		}
		// A guest may have continued fn on another fiber. Then this one may be dead, and its
		// run has failed already.
		_ = f.wakeAll(end(f.ID(), f.rt.woken))
		if f.rt.sched.Current() == f.ID() {
			f.rt.sched.Attachments().Disown(o.OwnerHook())
		}
	}()
	if err = fn(); err == nil {
		end = o.Finish
	}
	return err
}
