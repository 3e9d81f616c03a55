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
	if ok, err := f.TryLock(m); ok || err != nil {
		return err
	}
	t, res, err := f.Await(fiber.OnQueue().By(deadline), func(t fiber.Ticket) error { return m.ParkLock(t, f.ID()) }, m)
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return poisoned(m, f.ID())
	}
	m.Collect(t)
	f.rt.sched.Own(m)
	return nil
}

// TryLock takes the lock if it is free. Errors as Lock's.
func (f *Fiber) TryLock(m *wait.Mutex) (bool, error) {
	if err := f.use("Lock", m); err != nil {
		return false, err
	}
	ok, err := m.TryLock(f.ID())
	if ok {
		f.rt.sched.Own(m)
	}
	return ok, err
}

// poisoned is the error of a wait that ended because the owner died, even if somebody
// has repaired the lock since: who waited does not have it.
func poisoned(m *wait.Mutex, by fiber.ID) error {
	if err := m.Err(); err != nil {
		return err
	}
	return &wait.Error{Op: "lock", Object: m.Describe(), By: by, Err: wait.ErrPoisoned}
}

// Unlock hands the lock to the fiber that has waited longest, or frees it. Only its
// owner can: wait.ErrNotOwner. A killed fiber may still unlock.
func (f *Fiber) Unlock(m *wait.Mutex) error {
	f.own("Unlock")
	if err := m.Admit(f.rt.sched.Number()); err != nil {
		return err
	}
	w, err := m.Unlock(f.ID())
	if err != nil {
		return err
	}
	f.rt.sched.Disown(m)
	f.wake(w)
	return nil
}
