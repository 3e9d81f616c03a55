package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Do has fn run once: by this fiber, now, unless it is done; if another fiber is at it,
// Do waits. A run fails if fn returns an error, panics or exits, or if its fiber is
// killed in it: then it is the turn of the next one that waits, with its own fn, or,
// with wait.Poison, all callers get wait.ErrRunFailed. Errors: fn's own, wait.ErrRunFailed,
// wait.ErrReentered if fn calls for its own run, *Interrupt, wait.ErrForeign.
func (f *Fiber) Do(o *wait.Once, fn func() error) error { return f.DoUntil(o, fn, fiber.Never) }

// DoUntil is Do with a deadline for the wait, and ErrTimeout. A run of its own has none.
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

// run is the one run, which ends with fn in whichever way that ends.
func (f *Fiber) run(o *wait.Once, fn func() error) (err error) {
	f.rt.sched.Attachments().Own(o.OwnerHook())
	end := o.Fail
	defer func() {
		// A guest may have finished fn in another fiber: then this one may be dead, and
		// its run has failed already.
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
