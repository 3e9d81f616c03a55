package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// reader is an RWMutex as a lock of its readers: TryLock and ParkLock lock it to read.
type reader struct{ *wait.RWMutex }

func (r reader) TryLock(id fiber.ID) (bool, error) { return r.TryRLock(id) }

func (r reader) ParkLock(t fiber.Ticket, id fiber.ID) error { return r.ParkRLock(t, id) }

// RLock waits for the lock to read, which several fibers can have at once. A writer that waits
// comes before later readers. Lock locks it to write. Errors as Lock's.
func (f *Fiber) RLock(m *wait.RWMutex) error { return f.RLockUntil(m, fiber.Never) }

// RLockUntil is RLock with a deadline, and ErrTimeout.
func (f *Fiber) RLockUntil(m *wait.RWMutex, deadline fiber.Time) error {
	return f.lock("RLock", reader{m}, deadline)
}

// TryRLock takes the lock to read if no writer has it or waits for it. Errors as
// Lock's.
func (f *Fiber) TryRLock(m *wait.RWMutex) (bool, error) { return f.tryLock("RLock", reader{m}) }

// RUnlock releases the fiber's read lock; the last reader hands the lock to the writer that waits.
// The error is wait.ErrNotOwner if the fiber has no read lock. A killed fiber may still unlock.
func (f *Fiber) RUnlock(m *wait.RWMutex) error {
	if err := f.give("RUnlock", m.Source()); err != nil {
		return err
	}
	err := f.wakeAll(m.RUnlock(f.ID(), f.rt.woken))
	if err == nil {
		f.rt.sched.Attachments().Disown(m.OwnerHook())
	}
	return err
}
