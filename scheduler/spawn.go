package scheduler

import (
	"fmt"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// Spawn makes a fiber Runnable at the back of the ready queue. Its fast path reuses a free
// slot. Errors: ErrTooManyFibers, ErrStopped.
func (s *Scheduler[T]) Spawn(data T) (fiber.RegularID, error) {
	if s.slots.free == 0 || s.op != op.None || s.stopping {
		return s.SpawnWith(data, Options{})
	}
	slot, h := s.slots.reuse()
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	s.pass(h, spawned, slot)
	id := fiber.NewRegularID(slot, h.gen)
	s.run().join(h, id.ID())
	s.counts.Spawned++
	if invariants.On {
		s.verify()
	}
	return id, nil
}

// Fork is SpawnWith(data, Options{Front: true, Movable: true}) with the fast path of Spawn:
// for a pool of schedulers, in which the newest fibers run first and the oldest move to
// other schedulers.
func (s *Scheduler[T]) Fork(data T) (fiber.RegularID, error) {
	if s.slots.free == 0 || s.op != op.None || s.stopping {
		return s.SpawnWith(data, Options{Front: true, Movable: true})
	}
	slot, h := s.slots.reuse()
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	h.set(movable)
	s.pass(h, spawned, slot)
	id := fiber.NewRegularID(slot, h.gen)
	s.run().jump(h, id.ID())
	s.counts.Spawned++
	if invariants.On {
		s.verify()
	}
	return id, nil
}

// SpawnWith is Spawn with options. Errors: also ErrCellTaken.
func (s *Scheduler[T]) SpawnWith(data T, o Options) (fiber.RegularID, error) {
	s.enter(op.Spawn)
	slot, h, err := s.spawn(&o)
	if err != nil {
		s.leave()
		return 0, err
	}
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	s.leave()
	return fiber.NewRegularID(slot, h.gen), nil
}

func (c *Core) spawn(o *Options) (uint32, *header, error) {
	if err := c.spawnError(); err != nil {
		return 0, nil, err
	}
	if o.Cell != nil && (o.Cell.Owner() != 0 || o.Cell.Completed() || !o.Cell.Source().Anchored().Bind(c.number, 0)) {
		return 0, nil, fmt.Errorf("%w (it stands for %s)", ErrCellTaken, nameOf(o.Cell.Source()))
	}
	slot, h := c.slots.take()
	c.ring.fit(int(c.slots.used))
	h.set(o.flags())
	if o.needsExt() {
		c.reg.keepExt(h).setOptions(o, fiber.NewRegularID(slot, h.gen))
	}
	c.pass(h, spawned, slot)
	if o.Front {
		c.run().jump(h, fiber.NewRegularID(slot, h.gen).ID())
	} else {
		c.run().join(h, fiber.NewRegularID(slot, h.gen).ID())
	}
	c.counts.Spawned++
	if c.observer != nil {
		with := Options{Front: o.Front, Frames: o.Frames, Nests: o.Nests, Movable: o.Movable}
		c.observer.report(Transition{Op: op.Spawn, ID: fiber.NewRegularID(slot, h.gen).ID(), With: with})
	}
	return slot, h, nil
}

// spawnError is why no fiber can begin now, or nil.
func (c *Core) spawnError() error {
	switch {
	case c.stopping:
		return ErrStopped
	case !c.slots.hasRoom():
		return fmt.Errorf("%w (%d alive)", ErrTooManyFibers, c.Inspect().Live())
	}
	return nil
}
