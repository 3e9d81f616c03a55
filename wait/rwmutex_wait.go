package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	_ fiber.Assigner  = (*RWMutex)(nil)
	_ fiber.Barrier   = (*RWMutex)(nil)
	_ fiber.OwnerHook = (*RWMutex)(nil)
)

// ParkLock registers a writer that TryLock has just told it would block; id is the
// owner it will be. The wait ends with OK when it has the lock and with Failed when the
// lock was poisoned first. Errors: ErrForeign, ErrDoubleLock, ErrPoisoned, and ErrReady
// if it would not block after all.
func (m *RWMutex) ParkLock(t fiber.Ticket, id fiber.ID) error {
	return m.park("lock", t, entrant{id, true})
}

// ParkRLock registers a reader that TryRLock has just told it would block; the rest as
// ParkLock.
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

// Collect acknowledges the lock handed over to the ticket: its owner is up and answers
// for it from now on. False: the lock was not handed over to it.
func (m *RWMutex) Collect(t fiber.Ticket) bool {
	_, _, ok := m.waiting.Collect(t)
	return ok
}

// Withdraw removes one that gave up, and lets in those who waited only because it was
// before them: readers behind a writer.
func (m *RWMutex) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if m.waiting.Withdraw(t) == 0 {
		return dst
	}
	return m.letIn(dst)
}

// Holds tells whether the ticket waits for the lock. Who has it waits no more.
func (m *RWMutex) Holds(t fiber.Ticket) bool { return m.waiting.Holds(t) }

// Forfeit: the fiber the lock was handed over to died before it ran. That is the death
// of an owner.
func (m *RWMutex) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	e, ok := m.waiting.Forfeit(t)
	if !ok {
		return dst
	}
	return m.OwnerDied(e.id, dst)
}

// OwnerDied gives back what a dead reader held, and follows the policy after a dead
// writer: it appends those let in, or with Poison everybody who waits, with Code
// Failed. For anybody else it does nothing, so it may be called beside Forfeit and
// after an unlock.
func (m *RWMutex) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	switch {
	case owner == 0:
		return dst
	case m.writer == owner:
		m.writer = 0
		if m.onDeath == HandOn {
			return m.letIn(dst)
		}
		return m.poison(owner, dst)
	case m.readers.amount(owner) > 0:
		m.readers.take(owner, 1)
		return m.letIn(dst)
	}
	return dst
}

func (m *RWMutex) poison(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	m.dead = owner
	for t, tag, _, ok := m.waiting.Pop(); ok; t, tag, _, ok = m.waiting.Pop() {
		dst = append(dst, m.woken(t, fiber.Failed, tag))
	}
	return dst
}

// Describe is for reports: `rwmutex "map" (readers: 3, waiting: 2)`.
func (m *RWMutex) Describe() string {
	state := "free"
	switch {
	case m.dead != 0:
		state = fmt.Sprintf("poisoned by the death of %v", m.dead)
	case m.writer != 0:
		state = fmt.Sprintf("writer %v", m.writer)
	case m.readers.n > 0:
		state = fmt.Sprintf("readers: %d", m.readers.n)
	}
	return fmt.Sprintf("%s (%s, waiting: %d)", m.title(), state, m.waiting.Waiting())
}

// Holders appends the writer or the readers, in ascending order: nobody else can end a
// wait on this lock.
func (m *RWMutex) Holders(dst []fiber.ID) []fiber.ID {
	if m.writer != 0 {
		return append(dst, m.writer)
	}
	return m.readers.all(dst)
}

// HoldsBack tells whether readers may wait only because a writer does.
func (m *RWMutex) HoldsBack() bool { return m.writer == 0 && m.waiting.Waiting() > 1 }
