package scheduler

import (
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
)

// Fiber is one slot: the scheduler's header and the host's payload, next to each
// other in memory that never moves. A payload without pointers costs the garbage
// collector nothing; one of 40 bytes makes a slot exactly one cache line.
type Fiber[T any] struct {
	header
	// Data is the host's. The scheduler never looks at it; it is zero when a slot is
	// spawned into only because Spawn writes the new payload.
	Data T
}

// Scheduler runs fibers that carry a payload T. One goroutine owns it: see Core for
// the operations, all of which it has.
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

// ScheduleNext pops the head of the ready queue, makes it Running and current, and
// mounts its chain. It returns nil at the end of a batch, or when nothing is ready:
// call Poll, which tells the two apart. Nobody may be current.
func (s *Scheduler[T]) ScheduleNext() *Fiber[T] {
	return (*Fiber[T])(unsafe.Pointer(s.next()))
}

// Fiber is the slot of a living fiber.
func (s *Scheduler[T]) Fiber(id fiber.RegularID) (*Fiber[T], bool) {
	h := s.slots.find(id.ID())
	return (*Fiber[T])(unsafe.Pointer(h)), h != nil
}

// Spawn makes a fiber Runnable at the back of the ready queue.
func (s *Scheduler[T]) Spawn(data T) (fiber.RegularID, error) {
	if s.slots.free == 0 || s.inside != OpNone || s.stopping {
		return s.SpawnWith(data, Options{})
	}
	slot, h := s.slots.reuse()
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	s.pass(h, spawned, slot)
	id := fiber.NewRegularID(slot, h.gen)
	s.join(h, id.ID())
	s.counts.Spawned++
	if invariants.On {
		s.verify()
	}
	return id, nil
}

// Fork is SpawnWith(data, Options{Front: true, Movable: true}) in a form that is cheap: a
// fiber for a pool of schedulers, of whose fibers the newest run first, and the oldest go to
// others.
func (s *Scheduler[T]) Fork(data T) (fiber.RegularID, error) {
	if s.slots.free == 0 || s.inside != OpNone || s.stopping {
		return s.SpawnWith(data, Options{Front: true, Movable: true})
	}
	slot, h := s.slots.reuse()
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	h.set(movable)
	s.pass(h, spawned, slot)
	id := fiber.NewRegularID(slot, h.gen)
	s.jump(h, id.ID())
	s.counts.Spawned++
	if invariants.On {
		s.verify()
	}
	return id, nil
}

// SpawnWith is Spawn with options.
func (s *Scheduler[T]) SpawnWith(data T, o Options) (fiber.RegularID, error) {
	s.enter(OpSpawn)
	slot, h, err := s.spawn(&o)
	if err != nil {
		s.leave()
		return 0, err
	}
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	s.leave()
	return fiber.NewRegularID(slot, h.gen), nil
}
