package stackful

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/wait"
)

// reader is an RWMutex as those see it who lock it to read.
type reader struct{ *wait.RWMutex }

func (r reader) TryLock(id fiber.ID) (bool, error) { return r.TryRLock(id) }

func (r reader) ParkLock(t fiber.Ticket, id fiber.ID) error { return r.ParkRLock(t, id) }

// RLock waits for the lock to read, beside other readers; a writer that waits goes
// first. Lock locks it to write. Errors as Lock's.
func (f *Fiber) RLock(m *wait.RWMutex) error { return f.RLockUntil(m, fiber.Never) }

// RLockUntil is RLock with a deadline, and ErrTimeout.
func (f *Fiber) RLockUntil(m *wait.RWMutex, deadline fiber.Time) error {
	return f.lock("RLock", m, reader{m}, deadline)
}

// TryRLock takes the lock to read if no writer has it or waits for it. Errors as
// Lock's.
func (f *Fiber) TryRLock(m *wait.RWMutex) (bool, error) { return f.tryLock("RLock", m, reader{m}) }

// RUnlock ends the fiber's reading; the last reader lets in the writer that waits. The
// error is wait.ErrNotOwner: it does not read. A killed fiber may still do it.
func (f *Fiber) RUnlock(m *wait.RWMutex) error {
	if err := f.give("RUnlock", m); err != nil {
		return err
	}
	err := f.wakeAll(m.RUnlock(f.ID(), f.rt.woken))
	if err == nil {
		f.rt.sched.Attachments().Disown(m)
	}
	return err
}
