package wait

import "github.com/selvage-dev/selvage/fiber"

// ParkLock registers a writer after TryLock has reported that it would block; id is the
// owner it will be. The wait ends with OK when id has the lock, and with Failed when the
// lock was poisoned first. Errors: ErrForeign, ErrDoubleLock, ErrPoisoned, and ErrReady
// if it would not block after all.
func (m *RWMutex) ParkLock(t fiber.Ticket, id fiber.ID) error {
	return m.park("lock", t, entrant{id, true})
}

// ParkRLock registers a reader after TryRLock has reported that it would block; otherwise
// it is as ParkLock.
func (m *RWMutex) ParkRLock(t fiber.Ticket, id fiber.ID) error {
	return m.park("read lock", t, entrant{id, false})
}

func (m *RWMutex) park(op string, t fiber.Ticket, e entrant) error {
	if !m.belongs(t.Scheduler()) {
		return m.refuse(op, 0, e.id, ErrForeign)
	}
	if err := m.mayLock(op, e.id); err != nil {
		return err
	}
	if m.ready(e) {
		return m.refuse(op, 0, e.id, ErrReady)
	}
	if !m.waiting.Push(t, 0, e) {
		panic(outOfOrder(op, m.title(), t))
	}
	return nil
}

// Collect acknowledges the lock that was handed over to the ticket. From then on the fiber
// runs as an owner, and the host passes OwnerHook to scheduler.Own. False: the lock was not
// handed over to this ticket.
func (m *RWMutex) Collect(t fiber.Ticket) bool {
	_, _, ok := m.waiting.Collect(t)
	return ok
}

func (m *RWMutex) poison(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	m.dead = owner
	for t, tag, _, ok := m.waiting.Pop(); ok; t, tag, _, ok = m.waiting.Pop() {
		dst = append(dst, m.woken(t, fiber.Failed, tag))
	}
	return dst
}
