package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// mutexSource is a Mutex as the scheduler sees it. It is the same memory under another
// type, so that the methods between scheduler and mutex are not methods of Mutex.
type mutexSource Mutex

var (
	_ fiber.Assigner  = (*mutexSource)(nil)
	_ fiber.Described = (*mutexSource)(nil)
	_ fiber.OwnerHook = (*mutexSource)(nil)
)

// Source is what a wait for the lock is armed with.
func (m *Mutex) Source() fiber.Source {
	if m == nil {
		return nil // which the scheduler refuses by name
	}
	return (*mutexSource)(m)
}

// OwnerHook is what the host passes to scheduler.Own while a fiber holds the lock.
func (m *Mutex) OwnerHook() fiber.OwnerHook { return (*mutexSource)(m) }

// Withdraw removes a waiter that gave up. The lock still has its owner, so no other
// fiber can continue because of that.
func (src *mutexSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	src.waiting.Withdraw(t)
	return dst
}

// Holds reports whether the ticket waits for the lock. The owner does not wait.
func (src *mutexSource) Holds(t fiber.Ticket) bool { return src.waiting.Holds(t) }

// Forfeit is called when the fiber that was handed the lock died before it ran. By then
// it was the owner, so this is the death of an owner.
func (src *mutexSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	if !(*Mutex)(src).Collect(t) {
		return dst, false
	}
	return src.OwnerDied(src.owner, dst), true
}

// OwnerDied follows the policy. With HandOver it appends the new owner; with Poison it
// appends all fibers that wait for the lock or on a Cond of it, with Code Failed. For a
// fiber that is not the owner it does nothing, so it is safe after Forfeit and Unlock.
func (src *mutexSource) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	m := (*Mutex)(src)
	switch {
	case owner == 0 || m.owner != owner:
		return dst
	case m.onDeath == HandOver:
		if w := m.handOver(); !w.IsZero() {
			dst = append(dst, w)
		}
		return dst
	}
	m.dead = owner
	for m.Waiting() > 0 {
		w := m.handOver() // only to find the next in order; the lock stays poisoned
		w.Result.Code = fiber.Failed
		dst = append(dst, w)
	}
	m.owner, m.granted = 0, fiber.Ticket{}
	return m.failConds(dst)
}

// Waiting counts the fibers that wait for the lock, signaled waiters of a Cond included.
func (src *mutexSource) Waiting() int { return (*Mutex)(src).Waiting() }

// Describe is for reports: `mutex "db" (owner f3.1, waiting: 2)`.
func (src *mutexSource) Describe() string {
	m := (*Mutex)(src)
	state := "free"
	switch {
	case m.dead != 0:
		state = fmt.Sprintf("poisoned by the death of %v", m.dead)
	case m.owner != 0:
		state = fmt.Sprintf("owner %v", m.owner)
	}
	return fmt.Sprintf("%s (%s, waiting: %d)", m.title(), state, m.Waiting())
}

// Holders appends the owner: only the owner can end a wait for the lock.
func (src *mutexSource) Holders(dst []fiber.ID) []fiber.ID {
	if src.owner == 0 {
		return dst
	}
	return append(dst, src.owner)
}
