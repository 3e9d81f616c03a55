package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkFreeSlots: a dead slot of either pool is free once, or retired (I5). A free side
// record has no owner (I12). The list of free slots is linked through the headers; counting
// bounds the walk, so a cycle is reported and not followed. Retired slots are on no list: they
// are what is left when the free and the living are subtracted.
func (v *verifier) checkFreeSlots() {
	c := v.core
	free := 0
	for at := c.slots.free; at != 0; at = c.slots.at(at - 1).ref {
		if free++; at > c.slots.used || free > int(c.slots.used) {
			v.broken(rule.I5, "the list of free slots has no end")
		}
		if s := c.slots.at(at - 1).state(); s != fiber.Dead {
			v.broken(rule.I5, "f%d is free and %v", at-1, s)
		}
	}
	// checkSlotCounts compares this with the count that give maintains.
	v.retired = int(c.slots.used) - free - c.Inspect().Live()
	for _, slot := range c.tramps.free {
		if c.tramps.all[slot].state() != fiber.Dead {
			v.broken(rule.I5, "t%d is free and %v", slot, c.tramps.all[slot].state())
		}
	}
	for _, i := range c.reg.exts.free {
		if v.sideUse[i-1] != sideUnknown {
			v.broken(rule.I12, "side record %d is free twice", i)
		}
		v.sideUse[i-1] = sideFree
	}
}

// checkDead: a dead slot is not in the ready queue and not held (I1) and has no flags. Spawn relies on the
// latter: it adds the flags of the new fiber to the word without clearing it.
func (v *verifier) checkDead(h *header, slot uint32) {
	if h.word != 0 || v.queued[slot] || v.core.pauses.isHeld(slot) {
		v.broken(rule.I1, "dead slot f%d is in the ready queue, is held or keeps flags %#x", slot, uint32(h.word))
	}
}

// checkRegular: a Runnable fiber is in the ready queue or held (I1), and only the other pool has
// trampolines (I4). The order matters: checkHeader makes sure that the side record is this
// fiber's, and the checks after it read the record.
func (v *verifier) checkRegular(h *header, slot uint32) {
	id := fiber.NewRegularID(slot, h.gen).ID()
	v.live++
	held := v.core.pauses.isHeld(slot)
	if (h.state() == fiber.Runnable && !held) != v.queued[slot] || held && h.state() != fiber.Runnable {
		v.broken(rule.I1, "%v is %v, in the ready queue: %v, held: %v", id, h.state(), v.queued[slot], held)
	}
	if h.state() == fiber.Running {
		v.running++
	}
	v.checkPlace(h, slot, id)
	if h.has(tramp) {
		v.broken(rule.I4, "%v is in the regular pool and flagged as a trampoline", id)
	}
	v.checkHeader(h, id)
	v.checkPaused(h, slot, id)
	v.checkUnwinding(h, id)
	v.checkChain(h, slot, id)
	v.checkWait(h, id)
}

// checkPlace: a Running fiber executes in exactly one place: as the current one, pinned
// under a pump, or lent to another goroutine (I2). A fiber in any other state is in none. A lent
// fiber has nothing armed, so that a delivery to it is stale, and does not nest, because its pump
// would run on the stack of the worker.
func (v *verifier) checkPlace(h *header, slot uint32, id fiber.ID) {
	c := v.core
	places := 0
	if c.cur == h && c.curID == id {
		places++
	}
	if v.pinned[slot] {
		places++
	}
	if h.has(lent) {
		places++
		v.lent++
	}
	runs := h.state() == fiber.Running
	if runs != (places == 1) || places > 1 || h.has(lent) && h.has(armed|latched|nests) {
		v.broken(rule.I2, "%v is %v, current: %v, pinned: %v, lent: %v", id, h.state(), c.cur == h, v.pinned[slot], h.has(lent))
	}
}

// checkHeader: generation and ticket number are possible (I5), and a side record has one
// owner (I12). The later checks rely on both. Only the count in seq is compared: its top bits
// are the scheduler's number, and are 0 in a slot that has seen no wait yet.
func (v *verifier) checkHeader(h *header, id fiber.ID) {
	if h.gen == 0 || h.seq&fiber.MaxSeq > v.core.seq&fiber.MaxSeq {
		v.broken(rule.I5, "%v is in wait %d of %d", id, h.seq&fiber.MaxSeq, v.core.seq&fiber.MaxSeq)
	}
	if !h.has(hasExt) {
		return
	}
	if h.ref == 0 || h.ref > uint32(len(v.sideUse)) || v.sideUse[h.ref-1] != sideUnknown {
		v.broken(rule.I12, "%v refers to side record %d, which is no record, free, or another's", id, h.ref)
	}
	v.sideUse[h.ref-1] = sideUsed
}

// checkPaused: a fiber is held in the list of what pauses it, so that its Resume finds it (I1), and
// one that has to unwind is not held (I9).
func (v *verifier) checkPaused(h *header, slot uint32, id fiber.ID) {
	c := v.core
	if c.reg.isPaused(h) {
		v.paused++
	}
	switch {
	case !c.pauses.isHeld(slot):
	case h.has(killPending):
		v.broken(rule.I9, "%v is held and has to unwind", id)
	case !v.isHeldFor(h, slot, c.pauses.slots[slot].in):
		v.broken(rule.I1, "%v is held, and not for what pauses it", id)
	}
}

// isHeldFor tells whether what a list is for pauses a fiber.
func (v *verifier) isHeldFor(h *header, slot uint32, in *heldList) bool {
	c := v.core
	if in == &c.pauses.own {
		return c.reg.isPaused(h)
	}
	for g := c.groups.at(slot); g != nil; g = g.parent {
		if in == &g.held {
			return g.stops()
		}
	}
	return in == &c.groups.rest.held && c.groups.rest.spent
}

// checkUnwinding: the flags of a killed or cancelled root agree with its side record (I12). The
// flag of a pending cancellation repeats what the record says, for the fast paths, which read
// only the word. A kill has a cause for the fiber to end with, and clears that flag.
func (v *verifier) checkUnwinding(h *header, id fiber.ID) {
	s := v.core.reg.ext(h)
	if h.has(killPending) && (s == nil || s.cause == nil) {
		v.broken(rule.I12, "%v is doomed without a cause", id)
	}
	if h.has(reapable) != (h.has(killPending) && !h.has(frames)) {
		v.broken(rule.I12, "%v: reapable %v, doomed %v, frames %v", id, h.has(reapable), h.has(killPending), h.has(frames))
	}
	pending := s != nil && s.cancel == cancelRequested && s.masks == 0 && !h.has(killPending)
	if h.has(cancelPending) != pending {
		v.broken(rule.I12, "%v: alarmed %v, unmasked cancellation pending %v", id, h.has(cancelPending), pending)
	}
}

// checkSlotCounts: every regular fiber is counted once (I12), every slot is accounted for
// (I5), and as many fibers run as there are places to run in (I2). The header that stands for
// "no current fiber" is Dead and without flags: an operation that wrote to it did not look
// whether a fiber is current.
func (v *verifier) checkSlotCounts() {
	c := v.core
	v.checkGroups()
	switch {
	case v.live != c.Inspect().Live():
		v.broken(rule.I12, "%d fibers are alive; %+v", v.live, c.counts)
	case uint32(v.retired) != c.slots.retired:
		v.broken(rule.I5, "%d slots are neither alive nor free, %d retired", v.retired, c.slots.retired)
	case v.lent != c.lent:
		v.broken(rule.I2, "%d fibers are lent, %d counted", v.lent, c.lent)
	case (v.running == len(c.pins)+c.lent+1) != (c.cur != c.none) || c.nobody.word != 0:
		v.broken(rule.I2, "%d fibers run, one is current: %v, %d are pinned, %d lent", v.running, c.cur != c.none, len(c.pins), c.lent)
	}
}

// sideUse is what the walk finds a side record to be. Each record starts as unknown and is found
// once: in the free list or at its owner. A second find is a violation, and so is none.
type sideUse uint8

const (
	sideUnknown sideUse = iota
	sideFree
	sideUsed
)

// checkSides: every side record is free or has an owner (I12). One that is neither is a leak:
// what it refers to would stay alive as long as the scheduler.
func (v *verifier) checkSides() {
	for i, use := range v.sideUse {
		if use == sideUnknown {
			v.broken(rule.I12, "side record %d is neither free nor owned", i+1)
		}
	}
}
