package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
)

// Verify compares everything derived from the fibers' states with the states: the
// table of docs/design.md#states-and-locations, line by line. It takes time in proportion to
// the number of slots of both pools, living or not. A difference is a bug of this library:
// Verify panics with an *InvariantError and poisons the scheduler. The checked build
// (-tags invariants) does this after every transition. It may be called between operations
// only: within one, queues and registrations are in between two states (rule ONE-OWNER).
func (f Inspect) Verify() {
	c := f.core
	if invariants.On {
		c.checkOwner(op.Idle)
	}
	if c.op != c.restOp {
		c.reportOverlap(op.Idle)
	}
	c.verify()
}

// verify reuses the memory of its census, because the checked build verifies after every
// transition. The census starts from zero each time, so no result of an earlier verification
// is reused.
func (c *Core) verify() {
	v := c.verifier
	if v == nil {
		v = &verifier{core: c}
		c.verifier = v
	}
	v.census = census{
		queued:     zeroed(v.queued, int(c.slots.used)),
		pinned:     zeroed(v.pinned, int(c.slots.used)),
		sideUse:    zeroed(v.sideUse, len(c.reg.exts.all)),
		sourceRefs: zeroed(v.sourceRefs, len(c.reg.sources.entries)),
	}
	v.run()
}

// zeroed is a slice of n zeros, in the memory of s if that is large enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// verifier makes one verification at a time. Its checks walk over the slots once and count what
// they find; at the end the census is compared with the scheduler's counters. The order of the
// checks matters: each relies on what the earlier ones have checked, so that none follows
// a corrupt index. It only reads; the only code of the host that it calls is that of sources.
type verifier struct {
	core *Core
	census
}

// census is what the walk finds. Its counts are compared at the end with the counters that the
// operations maintain.
type census struct {
	queued       []bool    // by slot: it is in the ready queue
	pinned       []bool    // by slot: it is pinned under a pump
	sideUse      []sideUse // by index-1
	sourceRefs   []uint32  // by index-1: how many waits and alarms refer to it
	live         int
	running      int
	lent         int
	retired      int
	chainMembers int
	timed        int
	paused       int
	external     int
}

// run first fills what the checks of a slot look up: which side records are free, and which
// slots are queued or pinned. Then it visits every slot once and counts. The comparisons of the
// counts come last, so that a violation is reported at the fiber where it is visible, and as a
// difference of two numbers only if it is visible nowhere else.
func (v *verifier) run() {
	c := v.core
	v.checkFreeSlots()
	v.checkQueue()
	v.checkPins()
	for slot := range c.slots.used {
		h := c.slots.at(slot)
		if h.state() != fiber.Dead {
			v.checkRegular(h, slot)
		} else {
			v.checkDead(h, slot)
		}
		v.checkOperations(h, slot)
	}
	for slot, t := range c.tramps.all {
		v.checkTrampoline(t, uint32(slot))
	}
	v.checkAlarms()
	v.checkMoved()
	v.checkSlotCounts()
	v.checkChainCounts()
	v.checkWaitCounts()
	v.checkHeld()
	v.checkQueues()
	v.checkSourceRefs()
	v.checkSides()
}

// broken reports a violation. It poisons the scheduler and does not return, so the code after a
// check may rely on what the check has found to be right.
func (v *verifier) broken(r fiber.Rule, format string, args ...any) {
	v.core.broken(v.core.op, r, format, args...)
}
