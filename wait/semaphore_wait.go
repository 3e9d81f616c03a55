package wait

import "github.com/selvage-dev/selvage/fiber"

// ParkAcquire registers a fiber after TryAcquire has reported that it would block; id
// will hold the n permits. The wait ends with OK when it does. Errors: ErrForeign,
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

// Collect acknowledges the permits given to the ticket and returns how many they are.
// From then on the fiber runs as their holder, and the host passes OwnerHook to
// scheduler.Own. False: none were given to this ticket.
func (s *Semaphore) Collect(t fiber.Ticket) (n int64, ok bool) {
	r, _, ok := s.waiting.Collect(t)
	return r.n, ok
}
