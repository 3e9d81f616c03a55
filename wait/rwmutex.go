package wait

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// RWMutex is a lock that one writer has, or any number of readers. It is handed over
// in order of arrival (I11): a waiting writer holds back the readers that come after it, so
// a stream of readers cannot starve it, and the readers at the head of the line get the
// lock together. A fiber holds the lock once: a reader that locked again, to read or to
// write, could wait for itself.
//
// The rules for owners and OwnerHook of Mutex hold here for the writer and for every
// reader. The lock of a reader that dies is given back, because a reader changes nothing;
// for a writer that dies the policy is followed.
//
// The zero RWMutex is unlocked, with policy Poison.
//
// Invariants, checked by the property test after every operation:
//   - there is no reader beside a writer;
//   - the head of the line cannot have the lock: it is a writer and the lock is held, or a
//     reader and a writer holds it;
//   - no fiber holds a poisoned lock or waits for it.
type RWMutex struct {
	Object
	writer  fiber.ID
	dead    fiber.ID // the writer whose death poisoned the lock
	onDeath OwnerDeath
	readers holders
	waiting waitq.Queue[entrant] // assigned: fibers that have the lock and have not collected
}

// entrant is a fiber that wants the lock, and what for.
type entrant struct {
	id     fiber.ID
	writes bool
}

// NewRWMutex makes an unlocked one that follows the policy when its writer dies.
func NewRWMutex(policy OwnerDeath) *RWMutex { return &RWMutex{onDeath: policy} }

// Writer is the fiber that has the lock for writing; 0 if none has.
func (m *RWMutex) Writer() fiber.ID { return m.writer }

// Readers counts the fibers that have the lock for reading.
func (m *RWMutex) Readers() int { return m.readers.n }

// Err is ErrPoisoned, naming the writer that died, or nil.
func (m *RWMutex) Err() error {
	if m.dead != 0 {
		return m.refuse("lock", m.dead, 0, ErrPoisoned)
	}
	return nil
}

// TryLock takes the lock for id to write, if it is free; false without an error: it would
// block. Errors: ErrDoubleLock, ErrPoisoned.
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

// mayLock refuses a fiber that could never get the lock.
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

// ready reports whether a newcomer need not wait. Fibers that wait already go first.
func (m *RWMutex) ready(e entrant) bool { return !m.waiting.AnyWaits() && m.free(e) }

// free reports whether the present holders of the lock allow e to have it too.
func (m *RWMutex) free(e entrant) bool { return m.writer == 0 && (!e.writes || m.readers.n == 0) }

func (m *RWMutex) enter(e entrant) {
	if e.writes {
		m.writer = e.id
		return
	}
	m.readers.add(e.id, 1)
}

// Unlock gives back the lock of the writer. It appends to dst the fibers at the head of the
// line, which own the lock from now on: a writer, or all readers up to the next writer. The
// error is ErrNotOwner and names the writer; dst is then unchanged.
func (m *RWMutex) Unlock(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if id == 0 || m.writer != id {
		return dst, m.refuse("unlock", m.writer, id, ErrNotOwner)
	}
	m.writer = 0
	return m.admit(dst), nil
}

// RUnlock gives back the lock of one reader; after the last one a waiting writer gets it,
// as in Unlock. The error is ErrNotOwner: id does not read.
func (m *RWMutex) RUnlock(id fiber.ID, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	if m.readers.amount(id) == 0 {
		return dst, m.refuse("read unlock", m.writer, id, ErrNotOwner)
	}
	m.readers.take(id, 1)
	return m.admit(dst), nil
}

// admit hands the lock to the fibers at the head of the line that can have it.
func (m *RWMutex) admit(dst []fiber.Wakeup) []fiber.Wakeup {
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

// Repair makes a poisoned lock usable again. Call it after making what the lock guards
// consistent. False: it was not poisoned.
func (m *RWMutex) Repair() bool {
	was := m.dead != 0
	m.dead = 0
	return was
}

func (m *RWMutex) refuse(op string, owner, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: m.title(), Owner: owner, By: by, Err: why}
}

func (m *RWMutex) title() string { return m.label("rwmutex") }
