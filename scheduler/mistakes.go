package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// mistakes finds, in the checked build, what a host has left out between a waiting object and the
// scheduler: a wake-up that was decided and not applied, a ticket that was armed and not parked, a
// result that was not claimed. Elsewhere each of them shows only later, as a fiber that waits
// without end or goes on without its value.
type mistakes struct{ core *Core }

func (c *Core) mistakes() mistakes { return mistakes{c} }

// mustHold refuses the end of a slice, and a Poll, while a fiber is Blocked in a wait that none of
// its sources holds: nothing will end that wait (I9). At the end of a slice it comes before any
// change, so that the error shows the fiber that has made the mistake. Each wait is reported once,
// so a host that recovers can go on. An overlap and a poisoned scheduler are left to the operation
// itself.
func (f mistakes) mustHold(call Op) {
	c := f.core
	if c.op != c.restOp {
		return
	}
	f.mustHaveParkedLater(call)
	for id, h := range f.waiting {
		if c.reg.isHeld(h, id) {
			continue
		}
		if n := f.note(h, id); n.reported != h.seq {
			n.reported = h.seq
			f.refuseUnheld(call, h, id, n.held == h.seq)
		}
	}
}

func (f mistakes) refuseUnheld(call Op, h *header, id fiber.ID, wasHeld bool) {
	mistake := "which does not hold its ticket: Park was not called; park the ticket that BlockOn returns in the object, before the next call of the scheduler"
	if wasHeld {
		mistake = "which has decided to wake it: a wake-up was not applied; Apply each Wakeup that a call of an object returns (TrySend, TryRecv, Unlock and others), in the slice that made the call"
	}
	f.core.refuseAs(call, rule.I9, "%s waits on %s, %s", f.core.titleOf(id), f.core.sourceNames(h), mistake)
}

// mustHaveParked refuses the Block of a wait that no source has registered (I9): Arm only records
// the sources. A fiber that has to unwind instead need not have parked.
func (f mistakes) mustHaveParked() {
	c, id := f.core, f.core.executingID()
	h := c.find(id)
	if c.op != c.restOp || h == nil || c.parksLater == id || h.word&(armed|latched) != armed || c.cur.has(interrupts) {
		return
	}
	if !c.reg.isHeld(h, id) {
		c.refuseAs(op.Block, rule.I9, "%s has armed a wait on %s, which does not hold its ticket: Park was not called; park the ticket in the object between Arm and Block",
			c.titleOf(id), c.sourceNames(h))
	}
	f.note(h, id).held = h.seq
}

// mustHaveParkedLater is mustHaveParked for BlockOn, whose caller parks after the block and before
// the next call, which is this one.
func (f mistakes) mustHaveParkedLater(call Op) {
	c, id := f.core, f.core.parksLater
	h := c.find(id)
	c.parksLater = 0
	if c.op != c.restOp || h == nil || h.state() != fiber.Blocked {
		return
	}
	n := f.note(h, id)
	if c.reg.isHeld(h, id) {
		n.held = h.seq
	} else if n.reported != h.seq {
		n.reported = h.seq
		f.refuseUnheld(call, h, id, false)
	}
}

// mustHaveClaimed refuses the next wait of a fiber that has not claimed what its last one has
// brought: it has gone on without a value that it owns (I12). A fiber that unwinds gives it up, and
// it is forfeited.
func (f mistakes) mustHaveClaimed(call Op, h *header, id fiber.ID) {
	if c := f.core; h.has(owed) && !c.cur.has(killPending|fatal) {
		c.refuseAs(call, rule.I12, "%s has not claimed how its wait on %s ended (%v): Claim it when the fiber runs again, once for each wait, and collect the value that the object has assigned to the ticket",
			c.titleOf(id), c.sourceNames(h), h.code())
	}
}

// mustHaveCollected is mustHaveClaimed for Done. A fiber that was cancelled may end without.
func (f mistakes) mustHaveCollected(h *header) {
	if s := f.core.reg.ext(h); h.word&(gateMask|chained) == running && (s == nil || s.cause == nil) {
		f.mustHaveClaimed(op.Finish, h, f.core.curID)
	}
}

// excuse lets the waits that are not held now pass: a Go panic has cut short the slice that would
// have applied their wake-ups, and must not be hidden behind another panic.
func (f mistakes) excuse() {
	for id, h := range f.waiting {
		if !f.core.reg.isHeld(h, id) {
			f.note(h, id).reported = h.seq
		}
	}
}

// note is what is known of the waits of a slot.
func (f mistakes) note(h *header, id fiber.ID) *waitNote {
	notes := &f.core.notes
	if h.has(tramp) {
		notes = &f.core.callNotes
	}
	for len(*notes) <= int(id.Index()) {
		*notes = append(*notes, waitNote{})
	}
	return &(*notes)[id.Index()]
}

// waiting yields the fibers and native calls that are Blocked in a wait of their own.
func (f mistakes) waiting(yield func(fiber.ID, *header) bool) {
	blocks := func(h *header) bool { return h.state() == fiber.Blocked && !h.has(onCallee) }
	c := f.core
	for slot := range c.slots.used {
		if h := c.slots.at(slot); blocks(h) && !yield(fiber.NewRegularID(slot, h.gen).ID(), h) {
			return
		}
	}
	for slot, t := range c.tramps.all {
		if blocks(&t.header) && !yield(c.tramps.id(uint32(slot)).ID(), &t.header) {
			return
		}
	}
}
