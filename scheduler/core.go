package scheduler

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/lazycontext"
	"github.com/selvage-dev/selvage/internal/opqueue"
	"github.com/selvage-dev/selvage/internal/wheel"
)

// Core is the payload-free view of a scheduler: everything but the payloads. One goroutine
// owns it; other goroutines may use only its Inbox. The calls that a virtual machine needs are
// its methods; the others are grouped in facets (Ops, Steps, Unwind, Attachments, Inspect, and
// of Scheduler also Calls and Moves).
//
// It holds the fibers' states and what is derived from them: the ready queue, the slots of
// the sources, the token table and the timer wheel. Verify compares them. Invariants between
// operations:
//   - cur is Running, or it is none; a poisoned scheduler has wreck there (I2);
//   - wakeups and orders are empty (I9);
//   - op is restOp and fastUntil is restUntil, unless the scheduler is poisoned;
//   - seq is not above lastSeq, and both have number in their top 16 bits (I5).
type Core struct {
	// ScheduleNext and YieldCurrent touch only the fields up to history, in this order.
	cur    *header  // the Running root, or none
	none   *header  // &nobody
	curID  fiber.ID // of the root that is current, or was last
	op     Op       // the operation in progress, to detect overlap
	restOp Op       // op between operations: op.None, or opWatched
	ring   ring     // the ready queue behind the batch (runqueue.go)
	// The batch is ahead[taken:drawn], with the IDs beside the headers. It holds only fibers that
	// can simply be mounted: what changes that for a ready fiber ends the batch (endBatch).
	// Arrays of 256 entries: an index of type uint8 needs no bounds check.
	taken, drawn uint8
	emptyAt      uint8 // where a batch without fibers begins; not lead while something is paused, with Config.Choose, and with Config.OneByOne
	// Fast paths that write history and are not the end of a slice do so while step is below
	// fastUntil: 0 within an operation, and restUntil between two.
	fastUntil, restUntil uint64
	recording            *recording // nil without Config.Record
	wreck                header     // stands for the current fiber of a poisoned scheduler; here it separates what stands in different lines of the cache
	seq                  uint64     // of the last armed wait, composed as in a ticket
	lastSeq              uint64     // of the last wait there can be
	ids                  [256]fiber.ID
	ahead                [256]*header
	slots                table
	// step counts the transitions; the last historyLen of them are in history, transition i at
	// i%historyLen. It is never reset, so an observer can tell what it has not seen yet.
	step    uint64
	history [historyLen]Entry

	number uint16
	stamp  uint16 // tells it apart, in anchors, from schedulers with the same number
	nobody header // stands for "no current fiber": Dead, so nothing may run as it

	tramps   trampolines
	pins     []pin      // chains under pumps, the innermost last
	lent     int        // roots that other goroutines run
	departed departures // joiners of the fibers that have moved out
	reg      registry
	wakeups  []fiber.Wakeup // decided by sources, not delivered yet
	orders   []fiber.Order  // decided by links, not carried out yet
	io       *opqueue.Queue
	timers   timerSet
	external int // waits that are External

	cfg Config
	shell
	ending
	groups     *groupTable // nil until a Group is made; beside stopping, as counts is: Spawn touches all
	counts     Counts
	observer   *observer  // nil without an observer
	unobserved unobserved // failures whose error may still be read
	rng        *rand.Rand
	chosen     chosen           // used with Config.Choose
	faults     [numFaults]error // prepared errors; here, so that fast paths inline
	audit
	runContext  *lazycontext.Child // the parent of the contexts of fibers in this run; nil while none was made
	pastContext *lazycontext.Real  // what the contexts of fibers become that were not used; nil while none was made
	pauses      pauses
	described   operationTexts // what operations are, for reports; nil until one is described
	soonest     []wheel.Entry  // memory of Inspect.Timers
}

// shell is what reaches the scheduler from outside: time, commands, devices. Only the inbox is
// used by other goroutines too.
type shell struct {
	clock     Clock
	spinClock SpinClock // the clock, if it is one
	now       fiber.Time
	stale     bool // now is of an earlier turn
	inbox     *Inbox
	// In the order of AddDevice, in which they are served. The next two repeat some of them, so
	// that a poll asserts no types.
	devices         []Device
	collectors      []Collector      // those devices that are
	externalSources []ExternalSource // those devices that are
	abandoned       []fiber.Token    // what the devices receive
	inputReady      func() bool      // Steps.hasInput, bound once
}

// recording hands the history to Config.Record.
//
// Between two calls at most 17 entries come from transitions that do not compare step with a limit: the
// current fiber ends its slice, and so do the 16 of a batch. All others compare it with restUntil
// (fastUntil, passSlow). A batch into which fibers jumped can be longer; what is overwritten then is
// counted, and the rest is in order.
type recording struct {
	core   *Core
	record func(entries []Entry, between bool, turns int) (each bool)
	each   bool // the recorder wants both calls of each turn
	turns  int  // that have ended since the last call
	// While between is set, the entries from slicesEnd on come from outside.
	between        bool
	slicesEnd, due uint64 // due: from this step on, a turn hands over its entries
	// How many transitions it has received or lost; never more than Core.step.
	received uint64
	lost     uint64
	buffer   [historyLen]Entry // for entries that are to be in one piece
}

// ending is how the run under way ends. A fiber that ends the run sets ended, in the middle of a
// turn. Between two slices the loop then sets stopping, also when ctx has ended, and kills the
// other fibers. Loop.Close clears them, so that a scheduler can run again.
type ending struct {
	active   atomic.Pointer[Loop] // the run under way; the only word of it that others read
	ctx      context.Context      // of the run, for the pumps inside it
	ended    error                // what a fiber ended the run with: main's return or failure, a panic
	stuck    error                // the first verdict of this run that has failed a pinned call
	lingers  bool                 // the main fiber has returned, and the run continues (Config.Linger)
	stopping bool                 // every fiber is unwinding: none begins
	closed   bool                 // Close was called: none begins any more
}

// Counts are totals of the fibers so far. They obey I12: Spawned + MovedIn = live + Ended +
// MovedOut, where live counts the fibers that are not Dead. Killed counts those of the Ended that
// ended by a kill. Lost counts results that were assigned to fibers and not collected (Config.Lost),
// Retired the slots of both pools that have used up their generations. Native calls count only
// in Lost and Retired. RefusedWakes counts wake-ups that a Source or a hook decided on and no fiber
// waited for. It is 0 unless one of them decides twice; the checked build panics at the first one.
type Counts struct {
	Spawned, Ended, Killed, Lost, Retired uint64
	MovedIn, MovedOut                     uint64
	RefusedWakes                          uint64
}

// ownership is the goroutine that owns the scheduler now (rule ONE-OWNER). Only the checked build
// knows it; in others the type is empty. An operation on its slow path, a slice and a run take the
// ownership, each until its end; outside them a scheduler has no owner, and any goroutine may use it
// next. A slice
// may continue on another goroutine, where the fiber's stack is: internal/stack hands the ownership
// over at each switch.
type ownership = invariants.Owner

// audit refuses calls that break the contract, and poisons the scheduler when an invariant is
// violated. Core embeds it. poison is set once and never cleared: it is what every later call
// panics with.
type audit struct {
	ownership
	core     *Core
	poison   *InvariantError
	entered  uint64    // counts slow paths, in the checked build
	verifier *verifier // nil until the first Verify
	looking  bool      // the view of an error is being filled
	// In the checked build: the deciders of the pending wake-ups, nil for those of this module; what
	// is known of the waits of each slot; and the fiber in a BlockOn, whose caller parks after it.
	deciders         []any
	notes, callNotes []waitNote
	parksLater       fiber.ID
}

// waitNote is what the checked build knows of the waits of a slot: the numbers of the last one that a
// source has held, and of the last one that was reported because none did.
type waitNote struct{ held, reported uint64 }
