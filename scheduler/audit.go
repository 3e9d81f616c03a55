package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Verify compares everything derived from the fibers' states with the states: the
// state–location table of docs/design.md#transitions, line by line. It takes time in
// proportion to the number of slots. A difference is a bug of this library: Verify panics
// with an *InvariantError and poisons the scheduler. The checked build (-tags invariants)
// does this after every transition.
func (f Inspect) Verify() {
	c := f.core
	if c.op != c.restOp {
		c.reportOverlap(op.Idle)
	}
	c.verify()
}

// verify reuses the memory of its census: the checked build verifies after every transition.
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

// zeroed is a slice of n zeros, in the memory of s if that is enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// verifier is one verification. Its checks walk over the slots once and count what they
// find; at the end the census is compared with the scheduler's counters. The order of the
// checks matters: each relies on what the earlier ones have checked, so that none follows
// a corrupt index.
type verifier struct {
	core *Core
	census
}

// census is what the walk finds.
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
	external     int
}

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
	v.checkQueues()
	v.checkSourceRefs()
	v.checkSides()
}

// broken reports a violation. It does not return.
func (v *verifier) broken(r fiber.Rule, format string, args ...any) {
	v.core.broken(v.core.op, r, format, args...)
}
