package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/holdings"
	"github.com/selvage-dev/selvage/internal/lazycontext"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
)

// ext is the extension record of a fiber or native call: what only some need, and what a header
// has no room for. A record that holds nothing lasting is freed when the wait that needed it
// ends. It has one owner, whose header has hasExt set and its index in ref; a copy of the record
// travels with a fiber that moves. Records are pointers, so that one stays valid while the table
// grows in the middle of an operation.
type ext struct {
	// Of the current wait, and until its result is claimed (token: until the wait ends). A
	// single source that was kept stays until the next wait. At most one of source and sources is
	// set.
	source   uint32
	endedBy  uint32   // of a wait on several: the slot of the source that has ended it; 0 if not known
	sources  []uint32 // of a wait on several
	token    fiber.Token
	deadline fiber.Time

	// Lasting until death. keep says that something of it has been set, and is never cleared
	// while the fiber lives.
	keep     bool
	name     string
	cell     *ioqueue.Cell
	ended    func(any, error)
	origin   *origin // the last one; nil if nothing elsewhere waits for the fiber's end
	result   any
	err      error
	owned    holdings.List[fiber.OwnerHook]
	links    holdings.List[fiber.Link]
	panics   *panicstate.State // nil until a guest has deferred or panicked here
	top      uint32            // trampoline index+1 of the chain's top; 0 without a chain
	native   bool              // the fiber had frames before its first trampoline
	main     bool              // its end ends the run
	paused   bool              // the host has paused it
	policy   panicstate.Policy // what a panic that ends it does beyond it
	observed bool              // a hook or a link receives its result, without a cell
	panicked bool              // the host reported a panic as its outcome
	grace    bool              // its grace timer is in the wheel
	contexts *fiberContext     // those that have not ended, and some that have; nil if none was made

	// Cancellation is deferred while masks is above 0; a kill is not.
	cancel cancelState
	masks  int
	cause  error // of the cancel, then of the kill
}

// cancelState is how far a cancellation has come. It only grows: a fiber is cancelled at most once
// in its life, so that code which unwinds is not interrupted again.
type cancelState uint8

const (
	notCancelled cancelState = iota
	cancelRequested
	cancelTaken // the fiber has received it, and unwinds with further cancellation masked
)

// extTable allocates extension records by index; 0 means none. Freed records keep the
// memory of their slices and panic machines for the next fiber, so waits on several objects
// allocate nothing in the steady state. The table never shrinks: it is as large as the largest
// number of records that were needed at once. A record in free holds no references of the host.
type extTable struct {
	all  []*ext
	free []uint32
}

// take returns the record that was freed last, which is most likely still in the cache.
func (t *extTable) take() (uint32, *ext) {
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		return i, t.all[i-1]
	}
	s := new(ext)
	t.all = append(t.all, s)
	return uint32(len(t.all)), s
}

// give frees a record. Its lists are cleared, so that the memory that they keep holds no hook or
// link. The slots in sources are plain numbers: they need no clearing, and registry.forget has
// dropped the references that they stood for.
func (t *extTable) give(i uint32) {
	s := t.all[i-1]
	if s.panics != nil {
		s.panics.Reset()
	}
	s.owned.Clear()
	s.links.Clear()
	*s = ext{sources: s.sources[:0], owned: s.owned, links: s.links, panics: s.panics}
	t.free = append(t.free, i)
}

// origin is a scheduler that a moved fiber has left, if something there waits for its end: its
// join cell and its Ended belong to the owner of that scheduler. The scheduler in which the
// fiber ends posts the end to the inbox of each origin. The list belongs to the fiber, and has
// each scheduler at most once.
type origin struct {
	core    *Core
	id      fiber.ID // the fiber's, at the origin
	earlier *origin
}

// fiberContext is a context of a fiber, for one run: its parent is that of the run. A fiber keeps
// the contexts of earlier runs, and of other schedulers, that have not ended, so that its end ends
// them. There is at most one for each run.
type fiberContext struct {
	lazycontext.Child
	earlier *fiberContext
}
