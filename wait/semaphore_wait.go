package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	_ fiber.Assigner  = (*Semaphore)(nil)
	_ fiber.Barrier   = (*Semaphore)(nil)
	_ fiber.OwnerHook = (*Semaphore)(nil)
)

// ParkAcquire registers a fiber that TryAcquire has just told it would block; id will
// hold the n permits. The wait ends with OK when it does. Errors: ErrForeign,
// ErrPermits, and ErrReady if it would not block after all.
func (s *Semaphore) ParkAcquire(t fiber.Ticket, id fiber.ID, n int64) error {
	if !s.belongs(t.Scheduler()) {
		return s.refuse("acquire", id, ErrForeign)
	}
	if err := s.mayAcquire(id, n); err != nil {
		return err
	}
	if s.ready(n) {
		return s.refuse("acquire", id, ErrReady)
	}
	if !s.waiting.Push(t, 0, request{id, n}) {
		panic(outOfOrder("acquire", s.title(), t))
	}
	return nil
}

// Collect acknowledges the permits given to the ticket and says how many they are: the
// fiber is up and answers for them from now on. False: none were given to it.
func (s *Semaphore) Collect(t fiber.Ticket) (n int64, ok bool) {
	r, _, ok := s.waiting.Collect(t)
	return r.n, ok
}

// Withdraw removes one that gave up, and serves those behind it that wanted less.
func (s *Semaphore) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if s.waiting.Withdraw(t) == 0 {
		return dst
	}
	return s.serve(dst)
}

// Holds tells whether the ticket waits for permits.
func (s *Semaphore) Holds(t fiber.Ticket) bool { return s.waiting.Holds(t) }

// Forfeit takes back the permits given to a fiber that died before it ran, as far as it
// still has them: deferred calls of it may have given some back. What else it holds is
// for OwnerDied, which may have come first and taken these too.
func (s *Semaphore) Forfeit(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	r, ok := s.waiting.Forfeit(t)
	n := min(r.n, s.held.amount(r.id))
	if !ok || n == 0 {
		return dst
	}
	return s.back(r.id, n, dst)
}

// OwnerDied gives back all that a dead fiber held and appends those served with it. For
// a fiber that holds nothing it does nothing, so it may be called several times.
func (s *Semaphore) OwnerDied(owner fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	n := s.held.amount(owner)
	if n == 0 {
		return dst
	}
	return s.back(owner, n, dst)
}

// Describe is for reports: `semaphore "db" (3 of 8 free, waiting: 2)`.
func (s *Semaphore) Describe() string {
	return fmt.Sprintf("%s (%d of %d free, waiting: %d)", s.title(), s.free, s.size, s.waiting.Waiting())
}

// Holders appends those who hold permits, in ascending order: only what they give back
// ends a wait.
func (s *Semaphore) Holders(dst []fiber.ID) []fiber.ID { return s.held.all(dst) }

// HoldsBack tells whether some may wait only because one that wants more is before them.
func (s *Semaphore) HoldsBack() bool { return s.free > 0 && s.waiting.Waiting() > 1 }
