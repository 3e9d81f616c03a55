package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Locker is what a fiber can lock: a *wait.Mutex, or a *wait.RWMutex, which is then
// locked to write. Nothing else is one.
type Locker interface {
	fiber.Source
	fiber.OwnerHook
	Admit(scheduler uint16) error
	TryLock(id fiber.ID) (bool, error)
	ParkLock(t fiber.Ticket, id fiber.ID) error
	Collect(t fiber.Ticket) bool
	Err() error
	Describe() string
}

var (
	_ Locker = (*wait.Mutex)(nil)
	_ Locker = (*wait.RWMutex)(nil)
)

// Lock waits for the lock. It is handed over in the order of arrival. Errors:
// wait.ErrDoubleLock, wait.ErrPoisoned, *Interrupt, wait.ErrForeign.
func (f *Fiber) Lock(m Locker) error { return f.LockUntil(m, fiber.Never) }

// LockUntil is Lock with a deadline, and ErrTimeout.
func (f *Fiber) LockUntil(m Locker, deadline fiber.Time) error {
	return f.lock("Lock", m, m, deadline)
}

// TryLock takes the lock if it is free. Errors as Lock's.
func (f *Fiber) TryLock(m Locker) (bool, error) { return f.tryLock("Lock", m, m) }

// lock waits for the lock as how sees it, and has the death of this fiber told to m.
func (f *Fiber) lock(call string, m fiber.OwnerHook, how Locker, deadline fiber.Time) error {
	if ok, err := f.tryLock(call, m, how); ok || err != nil {
		return err
	}
	t, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return how.ParkLock(t, f.ID()) }, how)
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return f.turnedAway("lock", how, wait.ErrPoisoned)
	}
	how.Collect(t)
	f.rt.sched.Attachments().Own(m)
	return nil
}

func (f *Fiber) tryLock(call string, m fiber.OwnerHook, how Locker) (bool, error) {
	if err := f.use(call, how); err != nil {
		return false, err
	}
	ok, err := how.TryLock(f.ID())
	if ok {
		f.rt.sched.Attachments().Own(m)
	}
	return ok, f.at(err)
}

// turnedAway is the error of a wait that ended because an owner died, even if somebody
// has repaired the object since: who waited does not have it.
func (f *Fiber) turnedAway(op string, object interface {
	Err() error
	Describe() string
}, why error) error {
	err := object.Err()
	if err == nil {
		err = &wait.Error{Op: op, Object: object.Describe(), By: f.ID(), Err: why}
	}
	return f.at(err)
}

// Unlock hands the lock to the fiber that has waited longest, or frees it; after a
// writer, to all readers up to the next writer. Only its owner can: wait.ErrNotOwner. A
// killed fiber may still unlock.
func (f *Fiber) Unlock(m Locker) error {
	if err := f.give("Unlock", m); err != nil {
		return err
	}
	var err error
	switch m := m.(type) {
	case *wait.Mutex:
		var w fiber.Wakeup
		w, err = m.Unlock(f.ID())
		f.wake(w)
		err = f.at(err)
	case *wait.RWMutex:
		err = f.wakeAll(m.Unlock(f.ID(), f.rt.woken))
	}
	if err == nil {
		f.rt.sched.Attachments().Disown(m)
	}
	return err
}
