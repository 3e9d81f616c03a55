package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// OwnerDeath is what becomes of a lock whose owner dies while it holds it (I12).
type OwnerDeath uint8

const (
	// Poison, the default: what the lock guards may be half done, so those who wait get
	// Code Failed and every later lock is ErrPoisoned, until Repair.
	Poison OwnerDeath = iota
	// HandOn: the lock goes to the next in line, as if it had been unlocked.
	HandOn
)

// Mutex is a lock with an owner. Unlock hands it directly to whoever has waited
// longest: that fiber owns it from that moment, so there is never a moment with two
// owners, or with none while somebody waits, and nobody can barge in (I11).
//
// The host says who an owner is; use one ID per logical thread of the guest (the root
// of a native chain, not the trampoline that happens to execute). From the moment a
// fiber has the lock (a true TryLock, or Collect) until its Unlock, the host keeps the
// mutex registered with the scheduler as a fiber.OwnerHook of that fiber: otherwise a
// fiber that dies takes the lock with it. Between the hand-over and Collect the
// scheduler knows by itself (Forfeit).
//
// The zero Mutex is unlocked, with policy Poison.
//
// Invariants, checked by the property test after every operation:
//   - nobody waits while there is no owner, and nobody waits on a poisoned lock;
//   - granted is zero, or the ticket by which the present owner got the lock;
//   - conds are exactly those that have waiters, and inLine counts the signalled ones.
type Mutex struct {
	Object
	owner   fiber.ID
	granted fiber.Ticket // handed over to the owner and not collected yet
	dead    fiber.ID     // the owner whose death poisoned the lock
	onDeath OwnerDeath
	waiting waitq.Queue[fiber.ID] // each with the owner it will be
	conds   []*Cond               // those with waiters, in order of their first
	inLine  int                   // waiters of conds that were signalled and want the lock
	turns   uint64                // how many have ever been signalled
}

// NewMutex makes an unlocked mutex that follows the policy when its owner dies.
func NewMutex(policy OwnerDeath) *Mutex { return &Mutex{onDeath: policy} }

// Owner is who holds the lock; 0 if nobody does.
func (m *Mutex) Owner() fiber.ID { return m.owner }

// Waiting counts those who wait for the lock, signalled waiters of a Cond included.
func (m *Mutex) Waiting() int { return m.waiting.Waiting() + m.inLine }

// Err is ErrPoisoned, naming the owner that died, or nil.
func (m *Mutex) Err() error {
	if m.dead != 0 {
		return m.refuse("lock", m.dead, 0, ErrPoisoned)
	}
	return nil
}

// Admit is as for a Chan: it refuses a fiber of another scheduler.
func (m *Mutex) Admit(scheduler uint16) error {
	if m.belongs(scheduler) {
		return nil
	}
	return m.refuse("use", 0, 0, ErrForeign)
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

// Unlock gives the lock to whoever has waited longest, who owns it from now on and is
// in the wakeup, or to nobody. The error is ErrNotOwner and names the owner.
func (m *Mutex) Unlock(id fiber.ID) (fiber.Wakeup, error) {
	if id == 0 || m.owner != id {
		return fiber.Wakeup{}, m.refuse("unlock", m.owner, id, ErrNotOwner)
	}
	if m.inLine > 0 || m.granted.Seq != 0 {
		return m.unlockOtherwise(), nil
	}
	t, tag, next, ok := m.waiting.Pop()
	m.owner, m.granted = next, t
	if !ok {
		return fiber.Wakeup{}, nil
	}
	return m.woken(t, fiber.OK, tag), nil
}

// unlockOtherwise is Unlock where waiters of a Cond are in line, or the owner never came
// for the lock.
func (m *Mutex) unlockOtherwise() fiber.Wakeup {
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

// Repair makes a poisoned lock usable again: its caller vouches for what it guards.
// False: it was not poisoned.
func (m *Mutex) Repair() bool {
	was := m.dead != 0
	m.dead = 0
	return was
}

func (m *Mutex) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: m.title(), Owner: owner, By: by, Err: why}
}

func (m *Mutex) title() string { return m.label("mutex") }
