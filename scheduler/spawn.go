package scheduler

import (
	"fmt"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/quota"
)

// Spawn makes a fiber Runnable at the back of the ready queue. The owner calls it, in a slice
// or between two. Its fast path reuses a free slot: a new slot may need a chunk, and a longer
// ring. Errors, which change nothing: ErrTooManyFibers, ErrStopped. In a Group also: a *quota.Error,
// which has ended the Group; the cause with which it was killed. O(1); a slot that is used again
// costs no allocation.
//
// The ID names this fiber only and never repeats (I5). The scheduler keeps no reference to
// the payload but the slot.
func (s *Scheduler[T]) Spawn(data T) (fiber.RegularID, error) {
	if invariants.On {
		s.checkOwner(op.Spawn)
	}
	// A slot that was used before has its chunk, and its place in the ring (fit). With an
	// observer op is never None here, so the slow path reports the spawn.
	if s.slots.free == 0 || s.step >= s.fastUntil || s.stopping || s.closed || s.groups != nil {
		return s.SpawnWith(data, Options{})
	}
	slot, h := s.slots.reuse()
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	s.pass(h, spawned, slot)
	id := fiber.NewRegularID(slot, h.gen)
	s.run().join(h, id.ID())
	s.counts.Spawned++
	if invariants.On {
		s.endFast()
	}
	return id, nil
}

// Fork is SpawnWith(data, Options{Front: true, Movable: true}) with the fast path of Spawn:
// for a pool of schedulers, in which the newest fibers run first and the oldest move to other
// schedulers. Errors: as Spawn.
func (s *Scheduler[T]) Fork(data T) (fiber.RegularID, error) {
	if invariants.On {
		s.checkOwner(op.Spawn)
	}
	if s.slots.free == 0 || s.step >= s.fastUntil || s.stopping || s.closed || s.groups != nil {
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
		s.endFast()
	}
	return id, nil
}

// SpawnWith is Spawn with options. Errors: also ErrCellTaken. An option other than Front,
// Frames, Nests and Movable costs the fiber an extension record until it ends.
func (s *Scheduler[T]) SpawnWith(data T, o Options) (fiber.RegularID, error) {
	s.enter(op.Spawn)
	slot, h, err := s.spawn(&o)
	if err != nil {
		s.leave()
		o.Group.endIfPassed(err)
		return 0, err
	}
	// The fiber is Runnable already, but nothing mounts it before this call returns.
	(*Fiber[T])(unsafe.Pointer(h)).Data = data
	s.leave()
	return fiber.NewRegularID(slot, h.gen), nil
}

// spawn is SpawnWith without the payload. All that can refuse comes first, so a refused spawn
// changes nothing; Bind is the last of these tests, because it binds a cell that is still
// unbound. A cell stands for one fiber, which completes it once (I12).
func (c *Core) spawn(o *Options) (uint32, *header, error) {
	if err := c.spawnError(); err != nil {
		return 0, nil, err
	}
	if err := o.enroll(c); err != nil {
		return 0, nil, err
	}
	if o.Cell != nil && (o.Cell.Owner() != 0 || o.Cell.Completed() || !o.Cell.Source().Anchored().Bind(c.number, 0)) {
		if o.Group != nil {
			o.Group.account.Give(quota.Fibers, 1)
		}
		return 0, nil, fmt.Errorf("%w (it stands for %s)", ErrCellTaken, nameOf(o.Cell.Source()))
	}
	slot, h := c.slots.take()
	// Before the fiber can enter the queue: push does not check for room.
	c.ring.fit(int(c.slots.used))
	h.set(o.flags())
	if o.needsExt() {
		c.reg.keepExt(h).setOptions(o, fiber.NewRegularID(slot, h.gen))
	}
	// After the flags and the record: from here on the fiber is alive, and complete.
	if o.Group != nil {
		c.groups.join(o.Group, slot)
	}
	passSlow(c, h, spawned, slot)
	if o.Front {
		c.run().jump(h, fiber.NewRegularID(slot, h.gen).ID())
	} else {
		c.run().join(h, fiber.NewRegularID(slot, h.gen).ID())
	}
	c.counts.Spawned++
	if c.observer != nil {
		// Names, cells and hooks are not part of the state machine, and a replay has none.
		with := Options{Front: o.Front, Frames: o.Frames, Nests: o.Nests, Movable: o.Movable}
		c.observer.report(Transition{Op: op.Spawn, ID: fiber.NewRegularID(slot, h.gen).ID(), With: with})
	}
	return slot, h, nil
}

// enroll takes the fiber that is to be spawned from the quotas of its Group, which it puts into the
// options.
func (o *Options) enroll(c *Core) error {
	if o.Group == nil {
		o.Group = c.groups.current()
	}
	switch g := o.Group; {
	case g == nil:
		return nil
	case g.core != c:
		c.refuseAs(op.Spawn, rule.SameScheduler, "the Group %q belongs to another scheduler: make one here, by Attachments().NewGroup", g.account.Name())
		return nil
	case g.refusal() != nil:
		return g.refusal()
	default:
		return g.account.Take(quota.Fibers, 1)
	}
}

// spawnError is why no fiber can begin now, or nil. A run that is ending refuses first:
// raising a limit would not help.
func (c *Core) spawnError() error {
	switch {
	case c.stopping || c.closed:
		return ErrStopped
	case !c.slots.hasRoom():
		return fmt.Errorf("%w (%d alive)", ErrTooManyFibers, c.Inspect().Live())
	}
	return nil
}
