package scheduler

import (
	"context"
	"math/rand/v2"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/opqueue"
)

// Core is the payload-free view of a scheduler: everything but the payloads. One goroutine
// owns it; other goroutines may use only its Inbox. The calls that a virtual machine needs are
// its methods; the others are grouped in facets (Ops, Steps, Unwind, Attachments, Inspect, and
// of Scheduler also Calls and Moves).
//
// It holds the fibers' states and what is derived from them: the ready queue, the slots of
// the sources, the token table and the timer wheel. Verify compares them.
type Core struct {
	// ScheduleNext and YieldCurrent touch only the fields up to history, in this order.
	cur    *header  // the Running root, or none
	none   *header  // &nobody
	curID  fiber.ID // of the root that is current, or was last
	op     Op       // the operation in progress, to detect overlap
	restOp Op       // op between operations: op.None, or opWatched
	ring   ring     // the ready queue behind the batch (runqueue.go)
	// The batch. Arrays of 256 entries: an index of type uint8 needs no bounds check.
	taken, drawn uint8
	ids          [256]fiber.ID
	ahead        [256]*header
	slots        table
	step         uint64
	history      [historyLen]record

	seq     uint64 // of the last armed wait, composed as in a ticket
	lastSeq uint64 // of the last wait there can be
	number  uint16
	stamp   uint16 // tells it apart, in anchors, from schedulers with the same number
	nobody  header // stands for "no current fiber": Dead, so nothing may run as it
	wreck   header // stands for the current fiber of a poisoned scheduler

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
	rng *rand.Rand
	shell
	ending
	counts     Counts           // beside stopping: Spawn touches both
	observer   *observer        // nil without an observer
	unobserved unobserved       // failures whose error may still be read
	faults     [numFaults]error // prepared errors; here, so that fast paths inline
	audit
}

// shell is what reaches the scheduler from outside: time, commands, devices.
type shell struct {
	clock           Clock
	spinClock       SpinClock // the clock, if it is one
	now             fiber.Time
	stale           bool // now is of an earlier turn
	inbox           *Inbox
	devices         []Device
	collectors      []Collector      // those devices that are
	externalSources []ExternalSource // those devices that are
	abandoned       []fiber.Token    // what the devices receive
	inputReady      func() bool      // Steps.hasInput, bound once
}

// ending is how the run under way ends.
type ending struct {
	ctx      context.Context // of the run, for the pumps inside it
	ended    error           // what a fiber ended the run with: main's return, a panic
	stopping bool            // every fiber is unwinding: none begins
}

// Counts are totals of the fibers so far. They obey I12: Spawned + MovedIn = live + Ended +
// MovedOut. Lost counts results assigned to fibers that died before they collected them,
// Retired the slots of both pools that have used up their generations.
type Counts struct {
	Spawned, Ended, Killed, Lost, Retired uint64
	MovedIn, MovedOut                     uint64
}

// audit refuses calls that break the contract, and poisons the scheduler when an invariant is
// violated. Core embeds it.
type audit struct {
	core     *Core
	poison   *InvariantError
	entered  uint64    // counts slow paths, in the checked build
	verifier *verifier // nil until the first Verify
}
