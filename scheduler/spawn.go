package scheduler

import (
	"fmt"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

// Options are what a fiber may be spawned with. An option that is not set costs nothing.
type Options struct {
	// Name is for reports.
	Name string
	// Front puts the fiber at the head of the ready queue: it runs next (hand-off, depth
	// first). The back is fair and the default.
	Front bool
	// Frames says that the fiber runs on a native stack, so a kill must let it unwind
	// instead of dropping it.
	Frames bool
	// Nests says that the fiber's native calls cannot park, because they stand on the stack
	// that drives the scheduler: when one waits, Block leaves it Pinned and the host pumps
	// (see Calls). Without it they park.
	Nests bool
	// Movable says that the fiber can move to another scheduler, whose goroutine then runs
	// it: see Moves. Its payload must hold nothing that belongs to this scheduler.
	Movable bool
	// OnPanic is what a panic that ends the fiber does beyond it: FailRun ends Run with it.
	// FailGroup is for packages that keep groups of fibers; here it is Isolate.
	OnPanic panicstate.Policy
	// Cell is completed with the fiber's result when it exits; it outlives the slot. Each
	// fiber needs its own: ErrCellTaken.
	Cell *ioqueue.Cell
	// Ended is called with the result when the fiber has died. It must not call the
	// scheduler. It counts as a reader of a failure: Config.Unobserved is not called.
	Ended func(result any, err error)
	// Link is called after all others when the fiber has died, and decides what that means
	// for other fibers; package scope uses it. Without a Cell it counts as a reader of a
	// failure, as Ended does; with one, it observes the Cell of a failure that it reports.
	Link fiber.Link
}

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

// flags are the options that a header has a bit for.
func (o *Options) flags() (w word) {
	if o.Frames {
		w |= frames
	}
	if o.Nests {
		w |= nests
	}
	if o.Movable {
		w |= movable
	}
	return w
}

func (o *Options) needsExt() bool {
	return o.Name != "" || o.Cell != nil || o.Ended != nil || o.Link != nil || o.OnPanic != panicstate.Isolate
}

func (s *ext) setOptions(o *Options, id fiber.RegularID) {
	s.name, s.cell, s.ended, s.policy = o.Name, o.Cell, o.Ended, o.OnPanic
	s.observed = o.Ended != nil || o.Link != nil && o.Cell == nil
	if o.Link != nil {
		s.links = append(s.links, o.Link)
	}
	if s.cell != nil {
		s.cell.SetOwner(id.ID())
	}
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
