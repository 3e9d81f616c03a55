package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	_ fiber.Assigner  = (*Mutex)(nil)
	_ fiber.Described = (*Mutex)(nil)
	_ fiber.OwnerHook = (*Mutex)(nil)
)

// ParkLock registers a locker that TryLock has just told it would block; id is the
// owner it will be. The wait ends with OK when it owns the lock and with Failed when
// the lock was poisoned first. Errors: ErrForeign, ErrDoubleLock, ErrPoisoned, and
// ErrReady if the lock is free after all.
func (m *Mutex) ParkLock(t fiber.Ticket, id fiber.ID) error {
	if m.owner != 0 && m.owner != id && id != 0 && m.dead == 0 && m.belongs(t.Scheduler()) && m.waiting.Push(t, 0, id) {
		return nil
	}
	return m.parkLock(t, id)
}

// parkLock says what stands against ParkLock; at the least, the queue refused the ticket.
func (m *Mutex) parkLock(t fiber.Ticket, id fiber.ID) error {
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

// Collect acknowledges the lock handed over to the ticket: the owner is up and answers
// for it from now on. False: the lock was not handed over to it.
func (m *Mutex) Collect(t fiber.Ticket) bool {
	if t.IsZero() || m.granted != t {
		return false
	}
	m.granted = fiber.Ticket{}
	return true
}

// Withdraw removes a locker that gave up. Nobody can go on because of that.
func (m *Mutex) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	m.waiting.Withdraw(t)
	return dst
}

// Holds tells whether the ticket waits for the lock. Who owns it waits no more.
func (m *Mutex) Holds(t fiber.Ticket) bool { return m.waiting.Holds(t) }

// Forfeit: the fiber the lock was handed over to died before it ran. That is the death
// of an owner.
func (m *Mutex) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if !m.Collect(t) {
		return dst
	}
	return m.OwnerDied(m.owner, dst)
}

// OwnerDied follows the policy: it appends the new owner, or with Poison everybody who
// waits, for the lock or on a Cond of it, with Code Failed. For anybody but the owner it does nothing, so it may be
// called beside Forfeit and after Unlock.
func (m *Mutex) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	switch {
	case owner == 0 || m.owner != owner:
		return dst
	case m.onDeath == HandOn:
		if w := m.handOver(); !w.IsZero() {
			dst = append(dst, w)
		}
		return dst
	}
	m.dead = owner
	for m.Waiting() > 0 {
		w := m.handOver() // only to learn whose turn it was
		w.Result.Code = fiber.Failed
		dst = append(dst, w)
	}
	m.owner, m.granted = 0, fiber.Ticket{}
	return m.failConds(dst)
}

// Describe is for reports: `mutex "db" (owner f3.1, waiting: 2)`.
func (m *Mutex) Describe() string {
	state := "free"
	switch {
	case m.dead != 0:
		state = fmt.Sprintf("poisoned by the death of %v", m.dead)
	case m.owner != 0:
		state = fmt.Sprintf("owner %v", m.owner)
	}
	return fmt.Sprintf("%s (%s, waiting: %d)", m.title(), state, m.Waiting())
}

// Holders appends the owner: nobody else can end a wait on this lock.
func (m *Mutex) Holders(dst []fiber.ID) []fiber.ID {
	if m.owner == 0 {
		return dst
	}
	return append(dst, m.owner)
}
