package wait

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/waitq"
)

// Semaphore gives out a fixed number of permits, one or several at a time. It serves in
// order of arrival (I11): a large request at the head of the line holds back small ones
// behind it, and permits that are given back go to the head before a running fiber can
// take them.
//
// It records how many permits each fiber holds, so a fiber can give back no more than it
// has; a host that wants permits without an owner uses one ID for all. The permits of a
// fiber that dies are given back. There is no policy as for a lock: permits limit a number,
// and that cannot become inconsistent. For this the host keeps OwnerHook registered with
// the scheduler while Held of the fiber is not 0; between the hand-over and Collect the
// scheduler itself calls Forfeit.
//
// The zero Semaphore has no permits, and every Acquire of it is an error.
//
// Invariants, checked by the property test after every operation:
//   - free plus the permits held is the size, and none of them is negative;
//   - the head of the line wants more than is free.
type Semaphore struct {
	Object
	size, free int64
	held       holders
	waiting    waitq.Queue[request] // assigned: permits given and not collected
}

// request is a fiber that wants permits, and how many.
type request struct {
	id fiber.ID
	n  int64
}

// NewSemaphore makes a semaphore of size permits, all free. A negative size is the
// host's mistake and panics, so check a size that a guest chose.
func NewSemaphore(size int64) *Semaphore {
	if size < 0 {
		panic(&ContractError{Rule: rule.ValidArgument, Op: "make", Object: "semaphore",
			Fix: fmt.Sprintf("size %d is negative; want 0 or more", size)})
	}
	return &Semaphore{size: size, free: size}
}

// Size is the number of permits, held or free.
func (s *Semaphore) Size() int64 { return s.size }

// Free counts the permits that no fiber holds. Some may be free while a fiber waits for
// more than that.
func (s *Semaphore) Free() int64 { return s.free }

// Held counts the permits that a fiber holds, including those it has not collected yet.
func (s *Semaphore) Held(id fiber.ID) int64 { return s.held.amount(id) }

// TryAcquire takes n permits for id if they are free and no fiber waits; false without an
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

// mayAcquire refuses a request that could never be served.
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

// Release gives back n permits of id and appends to dst the fibers at the head of the line
// that have their permits from now on. Errors: ErrNotOwner if id holds fewer, ErrPermits if
// n is less than 1; dst is then unchanged.
func (s *Semaphore) Release(id fiber.ID, n int64, dst []fiber.Wakeup) ([]fiber.Wakeup, error) {
	switch held := s.held.amount(id); {
	case n < 1:
		return dst, s.refuse("release", id, fmt.Errorf("%w: gives back %d", ErrPermits, n))
	case n > held:
		return dst, s.refuse("release", id, fmt.Errorf("%w: gives back %d, holds %d", errNotHeld, n, held))
	}
	return s.back(id, n, dst), nil
}

func (s *Semaphore) back(id fiber.ID, n int64, dst []fiber.Wakeup) []fiber.Wakeup {
	s.held.take(id, n)
	s.free += n
	return s.serve(dst)
}

// serve gives permits to the head of the line while there are enough.
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
