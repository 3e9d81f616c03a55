package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkWait: what a wait registered exists exactly while it waits (I10), what it left
// behind is what its flags say (I10, I12), and only the executing context has a wait armed
// (I13). It serves both pools.
//
// Two flags outlast a wait and exclude each other: owed says that a source may have assigned
// something that is not claimed, kept that the source of a claimed wait is still referred to.
// With kept, holds says that the fiber owns that source as a lock. Trampolines keep nothing.
func (v *verifier) checkWait(h *header, id fiber.ID) {
	c := v.core
	mirrors := c.cur == h && h.has(chained) || h.bars() // a root shows the flags of its innermost call
	// Both bits at once are barred, which only a root under a nesting call shows. A context that has
	// one of them is executing, or mirrors the call that is.
	if h.has(armed) && h.has(latched) && !h.bars() || h.has(armed|latched) && !mirrors && id != c.executingID() {
		v.broken(rule.I13, "%v is %v with a wait armed or latched but not executing", id, h.state())
	}
	waits := h.waits()
	s := c.reg.ext(h)
	v.countWait(h, s)
	if !waits && h.has(timed|external) {
		v.broken(rule.I10, "%v does not wait; a live deadline: %v, counted as external: %v", id, h.has(timed), h.has(external))
	}
	if waits {
		v.checkReason(h, id, s)
	}
	if h.has(kept) && (waits || h.has(owed|tramp) || c.reg.sole(h) == 0) {
		v.broken(rule.I10, "%v keeps the source of its last wait in place of something else", id)
	}
	if h.has(holds) && (!h.has(kept) || c.reg.sources.at(*c.reg.soleSlot(h)).lock == nil) {
		v.broken(rule.I12, "%v owns the source that it has kept, which is none, or no lock", id)
	}
	if h.has(owed) && (waits || h.kind() != fiber.Queue || !c.reg.hasSources(h)) {
		v.broken(rule.I12, "%v has a result to claim, but no source can have assigned one", id)
	}
	v.checkSources(h, id, waits)
}

// checkReason: a wait has a reason that is registered where it will be ended: in the timer
// wheel (I10) or as the operation's owner (I8). A Queue wait needs no registration: one without a
// source is ended by its ticket, by ID, or never. The code must be Pending, which is 0, because
// fast deliveries write their code over it.
func (v *verifier) checkReason(h *header, id fiber.ID, s *ext) {
	c := v.core
	if h.code() != fiber.Pending {
		v.broken(rule.I10, "%v waits and its wait has ended: %v", id, h.code())
	}
	if h.kind() != fiber.IO && s != nil && s.token != 0 {
		v.broken(rule.I10, "%v waits for %v and is in the waiter map of operation %d", id, h.kind(), s.token)
	}
	switch h.kind() {
	case fiber.NoWait:
		v.broken(rule.I10, "%v waits for nothing", id)
	case fiber.Timer:
		if !h.has(timed) {
			v.broken(rule.I10, "%v waits for an instant that is not in the wheel", id)
		}
		if c.reg.hasSources(h) {
			v.broken(rule.I10, "%v waits for an instant and nothing else, and is registered with sources", id)
		}
	case fiber.IO:
		if c.io.Owner(c.reg.tokenOf(h)).ID() != id {
			v.broken(rule.I8, "%v waits for an operation that is not its own", id)
		}
	}
}

// countWait counts the timers and the external wait of a fiber. The grace period of a cancelled
// fiber is a timer beside that of its wait.
func (v *verifier) countWait(h *header, s *ext) {
	if h.has(timed) {
		v.timed++
	}
	if h.has(external) {
		v.external++
	}
	if s != nil && s.grace {
		v.timed++
	}
}

// checkWaitCounts: as many deadlines and external waits are live as are counted (I10). The
// verdict on an idle scheduler is decided by such counters: with one too many it waits where it
// should report a deadlock, with one too few it reports a deadlock that is none.
func (v *verifier) checkWaitCounts() {
	if v.timed != v.core.timers.live {
		v.broken(rule.I10, "%d deadlines are live, %d counted", v.timed, v.core.timers.live)
	}
	if v.external != v.core.external {
		v.broken(rule.I10, "%d waits are external, %d counted", v.external, v.core.external)
	}
}
