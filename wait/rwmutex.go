package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// RWMutex is a lock that one writer has, or any number of readers. It is handed over
// in order of arrival (I11): a writer that waits holds back the readers that come after
// it, so no stream of readers keeps it waiting for ever, and the readers at the head of
// the line are let in together. A fiber holds the lock once: a reader that locked
// again, to read or to write, could wait for itself.
//
// What is said of owners and of fiber.OwnerHook on Mutex holds here for the writer and
// for every reader. A reader that dies gives the lock back, because it has changed
// nothing; a writer that dies follows the policy.
//
// The zero RWMutex is unlocked, with policy Poison.
//
// Invariants, checked by the property test after every operation:
//   - there is no reader beside a writer;
//   - the head of the line cannot go on: a writer while anybody holds the lock, a
//     reader while a writer does;
//   - nobody holds a poisoned lock or waits for it.
type RWMutex struct {
	Object
	writer  fiber.ID
	dead    fiber.ID // the writer whose death poisoned the lock
	onDeath OwnerDeath
	readers holders
	waiting waitq.Queue[entrant] // assigned: those let in who have not collected
}

// entrant is who wants the lock, and what for.
type entrant struct {
	id     fiber.ID
	writes bool
}

// NewRWMutex makes an unlocked one that follows the policy when its writer dies.
func NewRWMutex(policy OwnerDeath) *RWMutex { return &RWMutex{onDeath: policy} }

// Writer is who has the lock for writing; 0 if nobody has.
func (m *RWMutex) Writer() fiber.ID { return m.writer }

// Readers counts those who have the lock for reading.
func (m *RWMutex) Readers() int { return m.readers.n }

// Waiting counts those who wait for the lock.
func (m *RWMutex) Waiting() int { return m.waiting.Waiting() }

// Err is ErrPoisoned, naming the writer that died, or nil.
func (m *RWMutex) Err() error {
	if m.dead != 0 {
		return m.refuse("lock", m.dead, 0, ErrPoisoned)
	}
	return nil
}

// Admit is as for a Chan: it refuses a fiber of another scheduler.
func (m *RWMutex) Admit(scheduler uint16) error {
	if m.belongs(scheduler) {
		return nil
	}
	return m.refuse("use", 0, 0, ErrForeign)
}

// TryLock takes the lock for id to write, if nobody has it; false without an error: it
// would block. Errors: ErrDoubleLock, ErrPoisoned.
func (m *RWMutex) TryLock(id fiber.ID) (bool, error) { return m.try("lock", entrant{id, true}) }

// TryRLock takes the lock for id to read, if no writer has it or waits for it. Result
// and errors as TryLock's.
func (m *RWMutex) TryRLock(id fiber.ID) (bool, error) { return m.try("read lock", entrant{id, false}) }

func (m *RWMutex) try(op string, e entrant) (bool, error) {
	if err := m.mayLock(op, e.id); err != nil {
		return false, err
	}
	if !m.ready(e) {
		return false, nil
	}
	m.enter(e)
	return true, nil
}

// mayLock refuses who could never get the lock.
func (m *RWMutex) mayLock(op string, id fiber.ID) error {
	switch {
	case id == 0:
		panic(noOwner(op, m.title()))
	case m.dead != 0:
		return m.refuse(op, m.dead, id, ErrPoisoned)
	case m.holds(id):
		return m.refuse(op, id, id, ErrDoubleLock)
	}
	return nil
}

func (m *RWMutex) holds(id fiber.ID) bool { return m.writer == id || m.readers.amount(id) > 0 }

// ready tells whether a newcomer need not wait; those who wait go first.
func (m *RWMutex) ready(e entrant) bool { return !m.waiting.AnyWaits() && m.free(e) }

// free tells whether nobody who holds the lock keeps e out.
func (m *RWMutex) free(e entrant) bool { return m.writer == 0 && (!e.writes || m.readers.n == 0) }

func (m *RWMutex) enter(e entrant) {
	if e.writes {
		m.writer = e.id
		return
	}
	m.readers.add(e.id, 1)
}

// Unlock ends the writing. It appends to dst those at the head of the line, who own
// the lock from now on: a writer, or all readers up to the next writer. The error is
// ErrNotOwner and names the writer; dst is then as it was.
func (m *RWMutex) Unlock(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if id == 0 || m.writer != id {
		return dst, m.refuse("unlock", m.writer, id, ErrNotOwner)
	}
	m.writer = 0
	return m.letIn(dst), nil
}

// RUnlock ends one fiber's reading; the last reader lets the writer in that waits, as
// Unlock does. The error is ErrNotOwner: id does not read.
func (m *RWMutex) RUnlock(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if m.readers.amount(id) == 0 {
		return dst, m.refuse("read unlock", m.writer, id, ErrNotOwner)
	}
	m.readers.take(id, 1)
	return m.letIn(dst), nil
}

// letIn hands the lock to whoever is at the head of the line and can have it.
func (m *RWMutex) letIn(dst []fiber.Wakeup) []fiber.Wakeup {
	for {
		_, _, e, ok := m.waiting.Head()
		if !ok || !m.free(*e) {
			return dst
		}
		next := *e
		m.enter(next)
		t, tag, _ := m.waiting.Match(next)
		dst = append(dst, m.woken(t, fiber.OK, tag))
	}
}

// Repair makes a poisoned lock usable again: its caller vouches for what it guards.
// False: it was not poisoned.
func (m *RWMutex) Repair() bool {
	was := m.dead != 0
	m.dead = 0
	return was
}

func (m *RWMutex) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: m.title(), Owner: owner, By: by, Err: why}
}

func (m *RWMutex) title() string { return m.label("rwmutex") }
