package stackful

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Wait releases the cond's mutex, which the fiber must hold, waits for a signal, and locks the
// mutex again before it returns, however the wait ended. The caller then checks its condition
// again, because another fiber may have changed it first. Errors: wait.ErrNotOwner, which changes
// nothing, *Interrupt, wait.ErrPoisoned, wait.ErrForeign.
//
// The mutex is not locked again if the fiber was killed, or if the mutex has been poisoned. A
// fiber that was cancelled and then finds it poisoned gets the *Interrupt.
func (f *Fiber) Wait(c *wait.Cond) error { return f.WaitUntil(c, fiber.Never) }

// WaitUntil is Wait with a deadline, and ErrTimeout. The deadline limits the wait for the signal,
// not the lock of the mutex after it.
func (f *Fiber) WaitUntil(c *wait.Cond, deadline fiber.Time) error {
	err := f.AwaitSignal(c, deadline)
	i, interrupted := err.(*Interrupt)
	cancelled := interrupted && !i.Killed
	if err != ErrTimeout && !cancelled {
		return err
	}
	back := f.Shield(func() error { return f.Lock(c.Mutex()) })
	if back == nil || cancelled && errors.Is(back, wait.ErrPoisoned) {
		return err
	}
	return back
}

// AwaitSignal is WaitUntil, except that after ErrTimeout or an *Interrupt it does not lock the
// mutex again: the fiber holds it only if the error is nil. It is for hosts whose guests run
// nothing any more after a cancellation.
func (f *Fiber) AwaitSignal(c *wait.Cond, deadline fiber.Time) error {
	if err := f.beginPoint("Wait", c.Source()); err != nil {
		return err
	}
	if err := f.admitCond("Wait", c); err != nil {
		return err
	}
	t, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error {
		next, err := c.ParkWait(t, f.ID())
		if err != nil {
			return err
		}
		f.rt.sched.Attachments().Disown(c.Mutex().OwnerHook())
		f.wake(next)
		return nil
	}, c.Source())
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return f.turnedAway("wait", c.Mutex(), wait.ErrPoisoned)
	}
	c.Collect(t)
	f.rt.sched.Attachments().Own(c.Mutex().OwnerHook())
	return nil
}

// Signal wakes the fiber that has waited longest. It returns from Wait when it has locked the
// mutex, which the caller need not hold. The error is wait.ErrForeign. A killed fiber may still
// signal.
func (f *Fiber) Signal(c *wait.Cond) error {
	f.ownPoint("Signal", c.Source())
	if err := f.admitCond("Signal", c); err != nil {
		return err
	}
	f.wake(c.Signal())
	return nil
}

// Broadcast wakes all fibers that wait. Each returns from Wait when it has locked the mutex, in
// the order in which they waited. Otherwise it is like Signal.
func (f *Fiber) Broadcast(c *wait.Cond) error {
	f.ownPoint("Broadcast", c.Source())
	if err := f.admitCond("Broadcast", c); err != nil {
		return err
	}
	f.wake(c.Broadcast())
	return nil
}

// admitCond refuses a cond that belongs to another runtime, or whose mutex does.
func (f *Fiber) admitCond(call string, c *wait.Cond) error {
	if err := f.admit(call, c.Source()); err != nil || c.Mutex() == nil {
		return err
	}
	if f.rt.explored {
		f.touch(c.Mutex().Source())
	}
	return f.admit(call, c.Mutex().Source())
}
