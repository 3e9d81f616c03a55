package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// Fiber is one slot: the scheduler's header and the host's payload, next to each other in
// memory that never moves. A payload without pointers costs the garbage collector nothing;
// one of 40 bytes makes a slot exactly one cache line.
type Fiber[T any] struct {
	header
	// Data is the host's. The scheduler never reads it, and writes it only when a fiber is
	// spawned into the slot.
	Data T
}

// Scheduler runs fibers that carry a payload T. One goroutine owns it. Core has the
// operations that do not depend on T.
type Scheduler[T any] struct {
	Core
}

// New makes a scheduler.
func New[T any](cfg Config) *Scheduler[T] {
	s := new(Scheduler[T])
	s.Core.init(cfg, unsafe.Sizeof(Fiber[T]{}), func(slots int) chunk {
		return unsafe.Pointer(unsafe.SliceData(make([]Fiber[T], slots)))
	})
	return s
}

// Fiber is the slot of a living fiber.
func (s *Scheduler[T]) Fiber(id fiber.RegularID) (*Fiber[T], bool) {
	h := s.slots.find(id.ID())
	return (*Fiber[T])(unsafe.Pointer(h)), h != nil
}
