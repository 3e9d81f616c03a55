package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// semaphoreSource is a Semaphore as the scheduler sees it: the same memory, other methods.
type semaphoreSource Semaphore

var (
	_ fiber.Assigner  = (*semaphoreSource)(nil)
	_ fiber.Barrier   = (*semaphoreSource)(nil)
	_ fiber.OwnerHook = (*semaphoreSource)(nil)
)

// Source is what a wait for permits is armed with.
func (s *Semaphore) Source() fiber.Source {
	if s == nil {
		return nil // which the scheduler refuses by name
	}
	return (*semaphoreSource)(s)
}

// OwnerHook is what the host passes to scheduler.Own while a fiber holds permits.
func (s *Semaphore) OwnerHook() fiber.OwnerHook { return (*semaphoreSource)(s) }

// Withdraw removes a waiter that gave up. Fibers behind it that want fewer permits may
// get theirs now.
func (src *semaphoreSource) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if src.waiting.Withdraw(t) == 0 {
		return dst
	}
	return (*Semaphore)(src).serve(dst)
}

// Holds reports whether the ticket waits for permits.
func (src *semaphoreSource) Holds(t fiber.Ticket) bool { return src.waiting.Holds(t) }

// Forfeit takes back the permits given to a fiber that died before it ran. Its deferred
// calls may have released some of them, and OwnerDied may have come first and taken them
// all, so it takes back no more than the fiber still holds.
func (src *semaphoreSource) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) ([]fiber.Wakeup, bool) {
	s := (*Semaphore)(src)
	r, ok := s.waiting.Forfeit(t)
	n := min(r.n, s.held.amount(r.id))
	if !ok || n == 0 {
		return dst, ok
	}
	return s.back(r.id, n, dst), true
}

// OwnerDied gives back all that a dead fiber held and appends the fibers that get it. For
// a fiber that holds nothing it does nothing, so it may be called several times.
func (src *semaphoreSource) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	n := src.held.amount(owner)
	if n == 0 {
		return dst
	}
	return (*Semaphore)(src).back(owner, n, dst)
}

// Waiting counts the fibers that wait for permits.
func (src *semaphoreSource) Waiting() int { return src.waiting.Waiting() }

// Describe is for reports: `semaphore "db" (3 of 8 free, waiting: 2)`.
func (src *semaphoreSource) Describe() string {
	s := (*Semaphore)(src)
	return fmt.Sprintf("%s (%d of %d free, waiting: %d)", s.title(), s.free, s.size, s.waiting.Waiting())
}

// Holders appends the fibers that hold permits, in ascending order: a wait ends only
// with what they give back.
func (src *semaphoreSource) Holders(dst []fiber.ID) []fiber.ID { return src.held.all(dst) }

// HoldsBack reports whether a fiber may wait only because one that wants more permits
// waits before it.
func (src *semaphoreSource) HoldsBack() bool { return src.free > 0 && src.waiting.Waiting() > 1 }
