package stackful

import (
	"errors"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Wait gives up the cond's mutex, which the fiber holds, waits for a signal, and has
// the mutex again when it returns, however the wait ended: look again whether what was
// waited for is true. Errors: wait.ErrNotOwner, which changes nothing, *Interrupt,
// wait.ErrPoisoned, wait.ErrForeign.
//
// It does not have the mutex again if the fiber was killed, nor if the mutex has been
// poisoned; a fiber that was cancelled and then finds it poisoned gets the *Interrupt.
func (f *Fiber) Wait(c *wait.Cond) error { return f.WaitUntil(c, fiber.Never) }

// WaitUntil is Wait with a deadline, and ErrTimeout. To get the mutex back has none.
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

// AwaitSignal is WaitUntil without the way back: the fiber has the mutex again only if the
// error is nil, and with ErrTimeout or an *Interrupt it does not wait for it. It is for
// hosts whose guests run nothing any more when they are cancelled.
func (f *Fiber) AwaitSignal(c *wait.Cond, deadline fiber.Time) error {
	if err := f.begin("Wait"); err != nil {
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
		f.rt.sched.Attachments().Disown(c.Mutex())
		f.wake(next)
		return nil
	}, c)
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return f.turnedAway("wait", c.Mutex(), wait.ErrPoisoned)
	}
	c.Collect(t)
	f.rt.sched.Attachments().Own(c.Mutex())
	return nil
}

// Signal lets the fiber go on that has waited longest, as soon as it has the mutex,
// which the caller need not hold. The error is wait.ErrForeign. A killed fiber may
// still signal.
func (f *Fiber) Signal(c *wait.Cond) error {
	f.own("Signal")
	if err := f.admitCond("Signal", c); err != nil {
		return err
	}
	f.wake(c.Signal())
	return nil
}

// Broadcast lets every fiber go on that waits, one after the other as each gets the
// mutex. What is said of Signal holds for it.
func (f *Fiber) Broadcast(c *wait.Cond) error {
	f.own("Broadcast")
	if err := f.admitCond("Broadcast", c); err != nil {
		return err
	}
	f.wake(c.Broadcast())
	return nil
}

// admitCond refuses one of another runtime, or whose mutex is.
func (f *Fiber) admitCond(call string, c *wait.Cond) error {
	if err := f.admit(call, c); err != nil || c.Mutex() == nil {
		return err
	}
	return f.admit(call, c.Mutex())
}
