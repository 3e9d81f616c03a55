package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
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
	// Main says that the end of the fiber ends the run: the others are killed then, in slot
	// order, and Run returns the error that the main fiber ended with. Of several main fibers
	// the first that ends counts. Without one, a run continues until every fiber has ended. A
	// main fiber does not move to another scheduler.
	Main bool
	// Movable says that the fiber can move to another scheduler, whose goroutine then runs
	// it: see Moves. Its payload must hold nothing that belongs to this scheduler.
	Movable bool
	// Group counts the fiber until it ends. nil is the Group of the current fiber; with no fiber
	// current, none. A fiber of a Group does not move to another scheduler.
	Group *Group
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

// needsExt tells whether something of the options outlasts the spawn and has no bit in the
// header. A fiber without such an option has no extension record: 24 bytes and its place in
// the ring.
func (o *Options) needsExt() bool {
	return o.Name != "" || o.Cell != nil || o.Ended != nil || o.Link != nil || o.Main || o.OnPanic != panicstate.Isolate
}

// setOptions fills the record of a fiber that is being spawned. The cell learns which fiber
// completes it, for deadlock reports, and so that no other fiber is spawned with it.
func (s *ext) setOptions(o *Options, id fiber.RegularID) {
	s.name, s.cell, s.ended, s.main, s.policy = o.Name, o.Cell, o.Ended, o.Main, o.OnPanic
	s.observed = o.Ended != nil || o.Link != nil && o.Cell == nil
	if o.Link != nil {
		s.links.Add(o.Link)
	}
	if s.cell != nil {
		s.cell.SetOwner(id.ID())
	}
}
