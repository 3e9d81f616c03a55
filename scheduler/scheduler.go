package scheduler

import (
	"reflect"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
)

// Fiber is one slot: the scheduler's header and the host's payload, next to each other in
// memory that never moves. A payload without pointers costs the garbage collector nothing;
// one of 40 bytes makes a slot exactly one cache line. A pointer to a Fiber stays valid
// memory for the scheduler's life, but the slot holds another fiber once this one has ended:
// keep the ID instead.
type Fiber[T any] struct {
	header
	// Data is the host's. The scheduler never reads it, and writes it only when a fiber is
	// spawned into the slot, moves into it, ends or moves out. A payload with pointers is zero
	// after the fiber's end, so the slot does not keep alive what it referred to.
	Data T
}

// Scheduler runs fibers that carry a payload T. One goroutine owns it. Core has the
// operations that do not depend on T.
type Scheduler[T any] struct {
	Core
}

// New makes a scheduler that belongs to the calling goroutine, or to the one it is handed to
// before the first call. It starts nothing and needs no Close. Limits that are out of range
// are replaced, not refused (Config). Slots are allocated in chunks of 64, the first at the
// first Spawn.
func New[T any](cfg Config) *Scheduler[T] {
	s := new(Scheduler[T])
	s.Core.init(cfg, unsafe.Sizeof(Fiber[T]{}), func(slots int) chunk {
		return unsafe.Pointer(unsafe.SliceData(make([]Fiber[T], slots)))
	})
	if hasPointers(reflect.TypeFor[T]()) {
		s.slots.drop = func(h *header) {
			var none T
			(*Fiber[T])(unsafe.Pointer(h)).Data = none
		}
	}
	return s
}

// hasPointers tells whether a value of the type can keep other memory alive.
func hasPointers(t reflect.Type) bool {
	switch k := t.Kind(); {
	case k == reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case k == reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k > reflect.Complex128 // after the numbers come array, the kinds with pointers, and struct
	}
}

// Fiber is the slot of a living fiber; false, with nil, if the fiber has ended or lives
// elsewhere. The pointer is the fiber's until the next operation that can end it.
func (s *Scheduler[T]) Fiber(id fiber.RegularID) (*Fiber[T], bool) {
	h := s.slots.find(id.ID())
	return (*Fiber[T])(unsafe.Pointer(h)), h != nil
}
