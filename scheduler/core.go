package scheduler

import (
	"context"
	"math/rand/v2"
	"unsafe"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/wheel"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Core is the payload-free view of a scheduler: everything but the payloads. One
// goroutine owns it; only its Inbox may be used by others.
//
// What it holds is the fibers' states and, derived from them, the ready queue, the
// sources' slots, the token table and the timer wheel; verify compares them.
type Core struct {
	// The first fields are all that next and yield touch.
	cur     *header  // the Running root, or &nobody
	none    *header  // &nobody
	curID   fiber.ID // of the root that is current, or was
	inside  Op       // the operation in progress, for overlap detection
	outside Op       // inside while none is: OpNone, or opWatched
	ready   ring     // behind the batch
	// The batch (batch.go). Arrays of 256 spare the bounds check of a uint8.
	taken, drawn uint8
	ids          [256]fiber.ID
	ahead        [256]*header
	slots        table
	step         uint64
	history      [historyLen]record

	seq     uint64 // of the wait armed last, composed as in a ticket
	lastSeq uint64 // of the last wait there can be
	number  uint16
	mark    fiber.Mark // what the anchors of its sources have
	nobody  header     // stands for "no current fiber": Dead, so nothing may run as it
	wreck   header     // stands for the current fiber of a poisoned scheduler

	tramps  trampolines
	pins    []pin               // chains under pumps, the innermost last
	lent    int                 // roots that others run
	absent  map[fiber.ID]absent // who has moved out and whose end is heard of here
	sources sourceTable
	sides   sideTable
	wakeups []fiber.Wakeup // decided by sources, not delivered yet
	orders  []fiber.Order  // decided by links, not carried out yet
	io      *ioqueue.Queue
	timers  *wheel.Wheel // nil until the first deadline
	timed   int          // live entries of the wheel
	alarms  alarmTable   // those entries that are alarms'
	touched word         // of no meaning: what lookAtTimers has read
	foreign int          // waits that are External

	cfg       Config
	clock     Clock
	now       fiber.Time
	stale     bool // now is of an earlier turn
	rng       *rand.Rand
	inbox     *Inbox
	devices   []Device
	lookouts  []ExternalSource // those devices that are
	abandoned []fiber.Token    // what the devices are told
	ctx       context.Context  // of the Run under way, for the pumps inside it
	over      error            // what a fiber ended the run with: main's return, a panic
	stopping  bool             // Run is unwinding everything: nothing new begins
	counts    Counts
	failures  unobserved // those that may still be read
	faults    [numFaults]error
	poison    *InvariantError
	watch     *observer // nil without Config.Observer

	entered    uint64      // how often an operation went the general way, in the checked build
	collectors []Collector // those devices that are
	vigil      SpinClock   // the clock, if it is one
	came       func() bool // cameSince
}

// Counts is what I12 conserves: Spawned + MovedIn = live + Ended + MovedOut. Lost counts
// results assigned to fibers that died before they collected them, Retired the slots of
// both pools that have used up their generations.
type Counts struct {
	Spawned, Ended, Killed, Lost, Retired uint64
	MovedIn, MovedOut                     uint64
}

// init makes a core whose slots are stride bytes apart.
func (c *Core) init(cfg Config, stride uintptr, grow func(slots int) chunk) {
	cfg = cfg.withDefaults()
	c.cfg, c.clock, c.number = cfg, cfg.Clock, cfg.Number
	c.mark = fiber.NewMark(cfg.Number, uint(uintptr(unsafe.Pointer(c))/unsafe.Sizeof(*c))) // no two stand at one place
	c.slots = newTable(cfg.MaxFibers, stride, grow)
	c.tramps.limit = cfg.MaxTrampolines
	c.slots.lives, c.tramps.lives = cfg.Generations, cfg.Generations
	c.io = ioqueue.New(cfg.Number, cfg.MaxTokens, cfg.Dropped)
	c.rng = rand.New(rand.NewPCG(cfg.Seed, uint64(cfg.Number)))
	c.inbox = newInbox(cfg.MaxCommands)
	c.seq, c.lastSeq = fiber.NewSeq(cfg.Number, 0), fiber.NewSeq(cfg.Number, fiber.MaxSeq)
	c.vigil, _ = cfg.Clock.(SpinClock)
	c.came = c.cameSince
	c.stale = true
	c.ready = newRing()
	c.endBatch()
	c.none = &c.nobody
	c.cur = c.none
	c.prepareFaults()
	c.watch = newObserver(c, cfg.Observer)
}

// Number is Config.Number.
func (f Inspect) Number() uint16 { return f.core.number }

// Budget is Config.Budget: the units one slice may use.
func (f Inspect) Budget() int { return f.core.cfg.Budget }

// Random is the generator of every random choice made under this scheduler; same
// seed, same choices (DESIGN §7). Only the owner may draw from it.
func (f Inspect) Random() *rand.Rand { return f.core.rng }

// Counts are the totals so far.
func (f Inspect) Counts() Counts {
	c := f.core
	n := c.counts
	n.Retired = c.slots.retired + c.tramps.retired
	return n
}

// Transitions counts the changes of state so far, mountings apart.
func (f Inspect) Transitions() uint64 { return f.core.step }

// Live is how many fibers are not Dead, doomed ones included.
func (f Inspect) Live() int {
	c := f.core
	n := &c.counts
	return int(n.Spawned + n.MovedIn - n.Ended - n.MovedOut)
}

// LiveTrampolines is how many native calls are in flight.
func (f Inspect) LiveTrampolines() int { return f.core.tramps.live }

// HasWork tells whether the ready queue holds a fiber, or one runs.
func (c *Core) HasWork() bool { return c.queued() > 0 || c.cur != c.none || c.lent > 0 }

// HasBlocked tells whether any regular fiber is Blocked.
func (c *Core) HasBlocked() bool { return c.Inspect().Blocked() > 0 }

// Blocked is how many regular fibers are Blocked.
func (f Inspect) Blocked() int {
	c := f.core
	n := c.Inspect().Live() - c.queued() - len(c.pins) - c.lent
	if c.cur != c.none {
		n--
	}
	return n
}

// HasIOWaiters tells whether any wait is for an operation's completion.
func (c *Core) HasIOWaiters() bool { return c.io.Awaiting() > 0 }

// curSlot is where the root that is current, or was, lives.
func (c *Core) curSlot() uint32 { return uint32(c.curID) }

func (c *Core) leaveCPU() { c.cur = c.none }
