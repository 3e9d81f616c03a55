package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// OwnerDeath is the policy for a lock whose owner dies while it holds it (I12).
type OwnerDeath uint8

const (
	// Poison, the default: what the lock guards may be in an inconsistent state, so the
	// waiting fibers get Code Failed and every later lock is ErrPoisoned, until Repair.
	Poison OwnerDeath = iota
	// HandOver: the lock goes to the next in line, as if it had been unlocked.
	HandOver
)

// Mutex is a lock with an owner. Unlock hands it directly to the fiber that has waited
// longest: that fiber owns it from that moment, before it runs. So there is never a moment
// with two owners, or with none while a fiber waits, and no fiber can overtake (I11).
//
// The host chooses the owner's ID; use one ID per logical thread of the guest (the root
// of a native chain, not the trampoline that executes). From the moment a fiber has the
// lock (a true TryLock, or Collect) until its Unlock, the host keeps OwnerHook registered
// with the scheduler for that fiber: otherwise a fiber that dies would keep the lock.
// Between the hand-over and Collect the scheduler itself calls Forfeit.
//
// The zero Mutex is unlocked, with policy Poison.
//
// Invariants, checked by the property test after every operation:
//   - no fiber waits while there is no owner, or while the lock is poisoned;
//   - granted is zero, or the ticket by which the present owner got the lock;
//   - conds are exactly those that have waiters, and inLine counts the signaled waiters.
type Mutex struct {
	Object
	owner   fiber.ID
	granted fiber.Ticket // handed over to the owner and not collected yet
	dead    fiber.ID     // the owner whose death poisoned the lock
	onDeath OwnerDeath
	waiting waitq.Queue[fiber.ID] // each with the owner it will be
	conds   []*Cond               // those with waiters, in order of the first waiter
	inLine  int                   // waiters of conds that were signaled and want the lock
	turns   uint64                // waiters signaled so far
}

// NewMutex makes an unlocked mutex that follows the policy when its owner dies.
func NewMutex(policy OwnerDeath) *Mutex { return &Mutex{onDeath: policy} }

// Owner is the fiber that holds the lock; 0 if it is free.
func (m *Mutex) Owner() fiber.ID { return m.owner }

// Waiting counts the fibers that wait for the lock, signaled waiters of a Cond included.
func (m *Mutex) Waiting() int { return m.waiting.Waiting() + m.inLine }

// Err is ErrPoisoned, naming the owner that died, or nil.
func (m *Mutex) Err() error {
	if m.dead != 0 {
		return m.refuse("lock", m.dead, 0, ErrPoisoned)
	}
	return nil
}

// TryLock takes the lock for id if it is free; false without an error: it would block.
// Errors: ErrDoubleLock, ErrPoisoned.
func (m *Mutex) TryLock(id fiber.ID) (bool, error) {
	if m.dead != 0 || m.owner == id || id == 0 {
		return false, m.mayNotLock(id)
	}
	if m.owner != 0 {
		return false, nil
	}
	m.owner = id
	return true, nil
}

func (m *Mutex) mayNotLock(id fiber.ID) error {
	switch {
	case id == 0:
		panic(noOwner("lock", m.title()))
	case m.dead != 0:
		return m.refuse("lock", m.dead, id, ErrPoisoned)
	}
	return m.refuse("lock", id, id, ErrDoubleLock)
}

// Unlock gives the lock to the fiber that has waited longest, which owns it from now on and
// is in the wakeup; if none waits, the lock is free. The error is ErrNotOwner and names the
// owner.
func (m *Mutex) Unlock(id fiber.ID) (fiber.Wakeup, error) {
	if id == 0 || m.owner != id {
		return fiber.Wakeup{}, m.refuse("unlock", m.owner, id, ErrNotOwner)
	}
	if m.inLine > 0 || m.granted.Seq != 0 {
		return m.unlockSlow(), nil
	}
	t, tag, next, ok := m.waiting.Pop()
	m.owner, m.granted = next, t
	if !ok {
		return fiber.Wakeup{}, nil
	}
	return m.woken(t, fiber.OK, tag), nil
}

// unlockSlow is Unlock when waiters of a Cond are in line, or the owner has not collected
// the lock.
func (m *Mutex) unlockSlow() fiber.Wakeup {
	if !m.granted.IsZero() {
		m.passSignal()
	}
	return m.handOver()
}

func (m *Mutex) handOver() fiber.Wakeup {
	if m.inLine > 0 {
		return m.handOverInLine()
	}
	if !m.waiting.AnyWaits() {
		m.owner, m.granted = 0, fiber.Ticket{}
		return fiber.Wakeup{}
	}
	t, tag, next, _ := m.waiting.Pop()
	return m.grant(t, tag, next)
}

func (m *Mutex) grant(t fiber.Ticket, tag uint32, owner fiber.ID) fiber.Wakeup {
	m.owner, m.granted = owner, t
	return m.woken(t, fiber.OK, tag)
}

// Repair makes a poisoned lock usable again. Call it after making what the lock guards
// consistent. False: it was not poisoned.
func (m *Mutex) Repair() bool {
	was := m.dead != 0
	m.dead = 0
	return was
}

func (m *Mutex) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: m.title(), Owner: owner, By: by, Err: why}
}

func (m *Mutex) title() string { return m.label("mutex") }
