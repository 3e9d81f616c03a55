package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Acquire waits for n permits. They are given out in the order of arrival. Errors:
// wait.ErrPermits if there can never be so many, *Interrupt, wait.ErrForeign.
func (f *Fiber) Acquire(s *wait.Semaphore, n int64) error { return f.AcquireUntil(s, n, fiber.Never) }

// AcquireUntil is Acquire with a deadline, and ErrTimeout.
func (f *Fiber) AcquireUntil(s *wait.Semaphore, n int64, deadline fiber.Time) error {
	if ok, err := f.TryAcquire(s, n); ok || err != nil {
		return err
	}
	t, _, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return s.ParkAcquire(t, f.ID(), n) }, s.Source())
	if err != nil {
		return err
	}
	s.Collect(t)
	f.holds(s, n)
	return nil
}

// TryAcquire takes n permits if they are free and no fiber waits. Errors as Acquire's.
func (f *Fiber) TryAcquire(s *wait.Semaphore, n int64) (bool, error) {
	if err := f.use("Acquire", s.Source()); err != nil {
		return false, err
	}
	ok, err := s.TryAcquire(f.ID(), n)
	if ok {
		f.holds(s, n)
	}
	return ok, f.at(err)
}

// holds notes that the fiber got n permits. The semaphore gives back all that a dead
// fiber holds, so it is owned once, with the first of them.
func (f *Fiber) holds(s *wait.Semaphore, n int64) {
	if s.Held(f.ID()) == n {
		f.rt.sched.Attachments().Own(s.OwnerHook())
	}
}

// Release returns n of the fiber's own permits. Errors: wait.ErrNotOwner, wait.ErrPermits. A
// killed fiber may still release. The permits of a dead fiber are returned for it.
func (f *Fiber) Release(s *wait.Semaphore, n int64) error {
	if err := f.give("Release", s.Source()); err != nil {
		return err
	}
	err := f.wakeAll(s.Release(f.ID(), n, f.rt.woken))
	if err == nil && s.Held(f.ID()) == 0 {
		f.rt.sched.Attachments().Disown(s.OwnerHook())
	}
	return err
}
