package wait

import "github.com/selvage-dev/selvage/fiber"

// ParkLock registers a fiber after TryLock has reported that it would block; id is the
// owner it will be. The wait ends with OK when id owns the lock and with Failed when the
// lock was poisoned first. Errors: ErrForeign, ErrDoubleLock, ErrPoisoned, and ErrReady
// if the lock is free after all.
func (m *Mutex) ParkLock(t fiber.Ticket, id fiber.ID) error {
	if m.owner != 0 && m.owner != id && id != 0 && m.dead == 0 && m.belongs(t.Scheduler()) && m.waiting.Push(t, 0, id) {
		return nil
	}
	return m.parkLockSlow(t, id)
}

// parkLockSlow returns the reason why ParkLock registered nothing. If there is no other
// reason, the queue refused the ticket.
func (m *Mutex) parkLockSlow(t fiber.Ticket, id fiber.ID) error {
	switch {
	case !m.belongs(t.Scheduler()):
		return m.refuse("lock", 0, id, ErrForeign)
	case m.dead != 0 || m.owner == id || id == 0:
		return m.mayNotLock(id)
	case m.owner == 0:
		return m.refuse("lock", 0, id, ErrReady)
	}
	panic(outOfOrder("lock", m.title(), t))
}

// Collect acknowledges the lock that was handed over to the ticket. From then on the
// fiber runs as the owner, and the host passes OwnerHook to scheduler.Own. False: the lock
// was not handed over to this ticket.
func (m *Mutex) Collect(t fiber.Ticket) bool {
	if t.IsZero() || m.granted != t {
		return false
	}
	m.granted = fiber.Ticket{}
	return true
}
