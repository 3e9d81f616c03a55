package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Lock waits for the lock. It is handed over in the order of arrival. Errors:
// wait.ErrDoubleLock, wait.ErrPoisoned, *Interrupt, wait.ErrForeign.
func (f *Fiber) Lock(m *wait.Mutex) error { return f.LockBy(m, fiber.Never) }

// LockBy is Lock with a deadline, and ErrTimeout.
func (f *Fiber) LockBy(m *wait.Mutex, deadline fiber.Time) error {
	if err := m.Admit(f.rt.sched.Number()); err != nil {
		return err
	}
	if ok, err := f.TryLock(m); ok || err != nil {
		return err
	}
	t, res, err := f.Await(fiber.OnQueue().By(deadline), func(t fiber.Ticket) error { return m.ParkLock(t, f.ID()) }, m)
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return m.Err()
	}
	m.Collect(t)
	f.rt.sched.Own(m)
	return nil
}

// TryLock takes the lock if it is free.
func (f *Fiber) TryLock(m *wait.Mutex) (bool, error) {
	f.own("Lock")
	if err := f.killed(); err != nil {
		return false, err
	}
	ok, err := m.TryLock(f.ID())
	if ok {
		f.rt.sched.Own(m)
	}
	return ok, err
}

// Unlock hands the lock to the fiber that has waited longest, or frees it. Only its
// owner can: wait.ErrNotOwner.
func (f *Fiber) Unlock(m *wait.Mutex) error {
	f.own("Unlock")
	w, err := m.Unlock(f.ID())
	if err != nil {
		return err
	}
	f.rt.sched.Disown(m)
	f.wake(w)
	return nil
}
