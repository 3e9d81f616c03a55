package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

// Options are what a fiber may be spawned with. What is not asked for is not paid for.
type Options struct {
	// Name is for reports.
	Name string
	// Front puts the fiber at the head of the ready queue: it runs next (hand-off,
	// depth first). The back is fair and the default.
	Front bool
	// Frames says that the fiber runs on a native stack, so a kill must let it
	// unwind instead of dropping it.
	Frames bool
	// Nests says that the fiber's native calls cannot be put aside, because they stand
	// on the stack that drives the scheduler: when one waits, Block leaves it Pinned
	// and the host pumps (DESIGN §2.5). Without it they park.
	Nests bool
	// Movable says that the fiber can go on in another scheduler, whose goroutine then runs
	// it: see Moves.MoveOut. Its payload must hold nothing that belongs to this one.
	Movable bool
	// OnPanic is what a panic that ends the fiber does beyond it: FailRun ends Run
	// with it. FailGroup is the business of whoever keeps groups; here it is Isolate.
	OnPanic panicstate.Policy
	// Cell is completed with the fiber's result when it exits; it outlives the slot.
	// No other fiber may have it: ErrCellTaken.
	Cell *ioqueue.Cell
	// Ended is told the result when the fiber has died. It must not call the
	// scheduler. Whoever is told by it knows of a failure: Unobserved is not told of it.
	Ended func(result any, err error)
	// Link is told how the fiber ended, after all others, and decides what that means
	// for other fibers. Package scope uses it. Without a Cell, it knows of a failure as
	// Ended does; with one, it observes the Cell of a failure that it reports.
	Link fiber.Link
}

func (c *Core) spawn(o *Options) (uint32, *header, error) {
	if err := c.mayBegin(); err != nil {
		return 0, nil, err
	}
	if o.Cell != nil && (o.Cell.Owner() != 0 || o.Cell.Completed() || !o.Cell.Bind(c.number)) {
		return 0, nil, fmt.Errorf("%w (it stands for %s)", ErrCellTaken, o.Cell.Describe())
	}
	slot, h := c.slots.take()
	c.ready.fit(int(c.slots.used))
	if o.Frames {
		h.set(frames)
	}
	if o.Nests {
		h.set(nests)
	}
	if o.Movable {
		h.set(movable)
	}
	if o.Name != "" || o.Cell != nil || o.Ended != nil || o.Link != nil || o.OnPanic != panicstate.Isolate {
		s := c.keepSide(h)
		s.name, s.cell, s.ended, s.policy = o.Name, o.Cell, o.Ended, o.OnPanic
		s.told = o.Ended != nil || o.Link != nil && o.Cell == nil
		if o.Link != nil {
			s.links = append(s.links, o.Link)
		}
		if s.cell != nil {
			s.cell.SetOwner(fiber.NewRegularID(slot, h.gen).ID())
		}
	}
	c.pass(h, spawned, slot)
	if o.Front {
		c.jump(h, fiber.NewRegularID(slot, h.gen).ID())
	} else {
		c.join(h, fiber.NewRegularID(slot, h.gen).ID())
	}
	c.counts.Spawned++
	if c.watch != nil {
		with := Options{Front: o.Front, Frames: o.Frames, Nests: o.Nests, Movable: o.Movable}
		c.report(Transition{Op: OpSpawn, ID: fiber.NewRegularID(slot, h.gen).ID(), With: with})
	}
	return slot, h, nil
}

// mayBegin is why no fiber can come to life now, or nil.
func (c *Core) mayBegin() error {
	switch {
	case c.stopping:
		return ErrStopped
	case !c.slots.hasRoom():
		return fmt.Errorf("%w (%d alive)", ErrTooManyFibers, c.Inspect().Live())
	}
	return nil
}

// Cell is the join cell of a living fiber, for who knows it by nothing but its ID: the
// one it was spawned with, or else one made now. ErrGone: the fiber has ended, and what
// it ended with is in the cell of whoever asked in time; or its slot holds a later one.
func (f Attachments) Cell(id fiber.RegularID) (cell *ioqueue.Cell, err error) {
	c := f.core
	err = f.note(id.ID(), func(s *side) {
		if s.cell == nil {
			s.cell = new(ioqueue.Cell)
			s.cell.SetOwner(id.ID())
			s.cell.Bind(c.number)
		}
		cell = s.cell
	})
	return cell, err
}
