package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// Locker is what a fiber can lock: a *wait.Mutex, or a *wait.RWMutex, which is then
// locked to write. No other type implements it.
type Locker interface {
	Source() fiber.Source
	OwnerHook() fiber.OwnerHook
	TryLock(id fiber.ID) (bool, error)
	ParkLock(t fiber.Ticket, id fiber.ID) error
	Collect(t fiber.Ticket) bool
	Err() error
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
	return f.lock("Lock", m, deadline)
}

// TryLock takes the lock if it is free. Errors as Lock's.
func (f *Fiber) TryLock(m Locker) (bool, error) { return f.tryLock("Lock", m) }

// lock waits for the lock, and registers it as owned by the fiber (Own): if the fiber dies, the
// lock's owner-death policy applies (I12).
func (f *Fiber) lock(call string, m Locker, deadline fiber.Time) error {
	if ok, err := f.tryLock(call, m); ok || err != nil {
		return err
	}
	t, res, err := f.Await(fiber.OnQueue().WithDeadline(deadline), func(t fiber.Ticket) error { return m.ParkLock(t, f.ID()) }, m.Source())
	switch {
	case err != nil:
		return err
	case res.Code == fiber.Failed:
		return f.turnedAway("lock", m, wait.ErrPoisoned)
	}
	m.Collect(t)
	f.rt.sched.Attachments().Own(m.OwnerHook())
	return nil
}

func sourceOf(m Locker) fiber.Source {
	if m == nil {
		return nil
	}
	return m.Source()
}

func (f *Fiber) tryLock(call string, m Locker) (bool, error) {
	if err := f.use(call, sourceOf(m)); err != nil {
		return false, err
	}
	ok, err := m.TryLock(f.ID())
	if ok {
		f.rt.sched.Attachments().Own(m.OwnerHook())
	}
	return ok, f.at(err)
}

// turnedAway is the error of a wait that ended because an owner died. It is an error even if
// another fiber has repaired the object since, because this fiber did not get it.
func (f *Fiber) turnedAway(op string, object interface {
	Err() error
	Source() fiber.Source
}, why error) error {
	err := object.Err()
	if err == nil {
		err = &wait.Error{Op: op, Object: describe(object.Source()), By: f.ID(), Err: why}
	}
	return f.at(err)
}

// Unlock hands the lock to the fiber that has waited longest, or frees it; after a
// writer, to all readers up to the next writer. Only its owner can: wait.ErrNotOwner. A
// killed fiber may still unlock.
func (f *Fiber) Unlock(m Locker) error {
	if err := f.give("Unlock", sourceOf(m)); err != nil {
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
		f.rt.sched.Attachments().Disown(m.OwnerHook())
	}
	return err
}
