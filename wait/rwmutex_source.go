package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// rwMutexSource is an RWMutex as the scheduler sees it: the same memory, other methods.
type rwMutexSource RWMutex

var (
	_ fiber.Assigner  = (*rwMutexSource)(nil)
	_ fiber.Barrier   = (*rwMutexSource)(nil)
	_ fiber.OwnerHook = (*rwMutexSource)(nil)
)

// Source is what a wait for the lock is armed with.
func (m *RWMutex) Source() fiber.Source {
	if m == nil {
		return nil // which the scheduler refuses by name
	}
	return (*rwMutexSource)(m)
}

// OwnerHook is what the host passes to scheduler.Own while a fiber writes or reads.
func (m *RWMutex) OwnerHook() fiber.OwnerHook { return (*rwMutexSource)(m) }

// Withdraw removes a waiter that gave up. If it was a writer, readers behind it may have
// waited only because of it; they get the lock now.
func (src *rwMutexSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if src.waiting.Withdraw(t) == 0 {
		return dst
	}
	return (*RWMutex)(src).admit(dst)
}

// Holds reports whether the ticket waits for the lock. A fiber that has it does not wait.
func (src *rwMutexSource) Holds(t fiber.Ticket) bool { return src.waiting.Holds(t) }

// Forfeit is called when the fiber that was handed the lock died before it ran. By then
// it had the lock, so this is the death of an owner.
func (src *rwMutexSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	e, ok := src.waiting.Forfeit(t)
	if !ok {
		return dst, false
	}
	return src.OwnerDied(e.id, dst), true
}

// OwnerDied gives back what a dead reader held, and follows the policy after a dead
// writer. It appends the fibers that get the lock, or with Poison all that wait, with
// Code Failed. For any other fiber it does nothing, so it is safe after Forfeit and after
// an unlock.
func (src *rwMutexSource) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	m := (*RWMutex)(src)
	switch {
	case owner == 0:
		return dst
	case m.writer == owner:
		m.writer = 0
		if m.onDeath == HandOver {
			return m.admit(dst)
		}
		return m.poison(owner, dst)
	case m.readers.amount(owner) > 0:
		m.readers.take(owner, 1)
		return m.admit(dst)
	}
	return dst
}

// Waiting counts the fibers that wait for the lock.
func (src *rwMutexSource) Waiting() int { return src.waiting.Waiting() }

// Describe is for reports: `rwmutex "map" (readers: 3, waiting: 2)`.
func (src *rwMutexSource) Describe() string {
	m := (*RWMutex)(src)
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

// Holders appends the writer, or the readers in ascending order: only they can end a
// wait for this lock.
func (src *rwMutexSource) Holders(dst []fiber.ID) []fiber.ID {
	if src.writer != 0 {
		return append(dst, src.writer)
	}
	return src.readers.all(dst)
}

// HoldsBack reports whether a reader may wait only because a writer waits before it.
func (src *rwMutexSource) HoldsBack() bool { return src.writer == 0 && src.waiting.Waiting() > 1 }
