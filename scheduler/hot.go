package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
)

// The transitions of this file are inlined into the host's loop; a test reads the
// compiler's own report to keep it so. Their preconditions are one compare each.

// next is ScheduleNext without the payload's type. Poll has looked at every head of
// the batch already; what makes one of them unfit to mount ends the batch.
func (c *Core) next() (h *header) {
	if c.cur != c.none {
		panic(c.faults[OpNext<<opShift])
	}
	if c.taken != c.drawn {
		h = c.ahead[c.taken]
		c.curID = c.ids[c.taken]
		c.taken++
		c.cur = h
		c.admit(h, mounted)
	}
	return
}

// YieldCurrent puts the current fiber at the back of the ready queue, with the chain
// of native calls above it. It must not have a wait armed.
func (c *Core) YieldCurrent() {
	c.passCurrent(yielded)
	c.ready.push(uint32(c.curID))
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
}

// Blocking is what Block leaves the caller with.
type Blocking uint8

const (
	// Parked: the fiber is Blocked and nobody is current. Leave it.
	Parked Blocking = iota + 1
	// Requeued: the result was there already; the fiber is Runnable at the back of
	// the queue and nobody is current. Leave it; Claim the result when it runs again.
	Requeued
	// Resumed: the result was there already and the trampoline goes on at once.
	Resumed
	// Interrupted: a pending cancel or kill, or a Fatal panic, came first. The wait is over, nothing
	// was received, and the caller is still Running.
	Interrupted
	// Pinned: the native call is Blocked, its callers stay Running where they are, and
	// nobody is current. Pump until it may go on: see Calls.Unpin.
	Pinned
)

var blockingNames = [...]string{"nothing", "parked", "requeued", "resumed", "interrupted", "pinned"}

// String is the lower-case name.
func (b Blocking) String() string {
	if int(b) < len(blockingNames) {
		return blockingNames[b]
	}
	return "invalid blocking"
}

// LeavesCPU tells whether nobody is current any more.
func (b Blocking) LeavesCPU() bool { return b == Parked || b == Requeued || b == Pinned }

// Block ends the executing context's slice in the wait it armed.
func (c *Core) Block() Blocking {
	h := c.cur
	if h.word&(stateMask|armed|latched|doomed|fatal|alarmed|chained) != running|armed {
		return c.blockOtherwise()
	}
	c.passKnown(h, h.word&^armed, parked, c.curSlot())
	c.cur = c.none
	if invariants.On {
		c.verify()
	}
	return Parked
}

// Current is the Running root, or none.
func (c *Core) Current() fiber.ID {
	if c.cur.gen == 0 { // nobody, or the wreck
		return 0
	}
	return c.curID
}
