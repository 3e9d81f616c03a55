package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Semaphore gives out a fixed number of permits, several at a time if asked. It serves
// in order of arrival (I11): a large request at the head of the line holds back small
// ones behind it, and what is given back goes to the head before anybody who runs can
// take it.
//
// It remembers who holds how many permits, so only a holder gives them back and no more
// than it has; a host that wants permits without an owner uses one ID for all. The
// permits of a fiber that dies go back: what they limit is a number, and no number is
// half done, so there is no policy. For that the host keeps the semaphore registered
// with the scheduler as a fiber.OwnerHook of a fiber while Held of it is not 0; between
// the hand-over and Collect the scheduler knows by itself (Forfeit).
//
// The zero Semaphore has no permits, and every Acquire of it is an error.
//
// Invariants, checked by the property test after every operation:
//   - free plus what the fibers hold is the size, and none of them is negative;
//   - the head of the line wants more than is free.
type Semaphore struct {
	Object
	size, free int64
	held       holders
	waiting    waitq.Queue[request] // assigned: permits given and not collected
}

// request is who wants permits, and how many.
type request struct {
	id fiber.ID
	n  int64
}

// NewSemaphore makes a semaphore of size permits, all free. A negative size is the
// host's mistake and panics: check what a guest asks for.
func NewSemaphore(size int64) *Semaphore {
	if size < 0 {
		panic(&ContractError{Rule: rule.ValidArgument, Op: "make", Object: "semaphore",
			Fix: fmt.Sprintf("size %d is negative; want 0 or more", size)})
	}
	return &Semaphore{size: size, free: size}
}

// Size is how many permits there are.
func (s *Semaphore) Size() int64 { return s.size }

// Free counts the permits nobody holds. Some may be free while others wait for more.
func (s *Semaphore) Free() int64 { return s.free }

// Held counts the permits a fiber holds, those not collected yet included.
func (s *Semaphore) Held(id fiber.ID) int64 { return s.held.amount(id) }

// Waiting counts those who wait for permits.
func (s *Semaphore) Waiting() int { return s.waiting.Waiting() }

// Admit is as for a Chan: it refuses a fiber of another scheduler.
func (s *Semaphore) Admit(scheduler uint16) error {
	if s.belongs(scheduler) {
		return nil
	}
	return s.refuse("use", 0, ErrForeign)
}

// TryAcquire takes n permits for id if they are free and nobody waits; false without an
// error: it would block. The error is ErrPermits: n is less than 1 or more than Size.
func (s *Semaphore) TryAcquire(id fiber.ID, n int64) (bool, error) {
	if err := s.mayAcquire(id, n); err != nil {
		return false, err
	}
	if !s.ready(n) {
		return false, nil
	}
	s.give(request{id, n})
	return true, nil
}

// mayAcquire refuses what could never be given.
func (s *Semaphore) mayAcquire(id fiber.ID, n int64) error {
	switch {
	case id == 0:
		panic(noOwner("acquire", s.title()))
	case n < 1 || n > s.size:
		return s.refuse("acquire", id, fmt.Errorf("%w: asked for %d of %d", ErrPermits, n, s.size))
	}
	return nil
}

func (s *Semaphore) ready(n int64) bool { return !s.waiting.AnyWaits() && n <= s.free }

func (s *Semaphore) give(r request) {
	s.free -= r.n
	s.held.add(r.id, r.n)
}

// Release gives back n permits of id and appends to dst those at the head of the line
// who have theirs from now on. Errors: ErrNotHeld if id holds fewer, ErrPermits if n is
// less than 1; dst is then as it was.
func (s *Semaphore) Release(id fiber.ID, n int64, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	switch held := s.held.amount(id); {
	case n < 1:
		return dst, s.refuse("release", id, fmt.Errorf("%w: gives back %d", ErrPermits, n))
	case n > held:
		return dst, s.refuse("release", id, fmt.Errorf("%w: gives back %d, holds %d", ErrNotHeld, n, held))
	}
	return s.back(id, n, dst), nil
}

func (s *Semaphore) back(id fiber.ID, n int64, dst []fiber.Wakeup) []fiber.Wakeup {
	s.held.take(id, n)
	s.free += n
	return s.serve(dst)
}

// serve gives permits to the head of the line as long as there are enough.
func (s *Semaphore) serve(dst []fiber.Wakeup) []fiber.Wakeup {
	for {
		_, _, r, ok := s.waiting.Head()
		if !ok || r.n > s.free {
			return dst
		}
		next := *r
		s.give(next)
		t, tag, _ := s.waiting.Match(next)
		dst = append(dst, s.woken(t, fiber.OK, tag))
	}
}

func (s *Semaphore) refuse(op string, by fiber.ID, why error) *Error {
	return &Error{Op: op, Object: s.title(), By: by, Err: why}
}

func (s *Semaphore) title() string { return s.label("semaphore") }
