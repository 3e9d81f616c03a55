package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkSources: only a Queue wait that is open, or whose result may still be claimed or
// kept, refers to sources; and no source holds the ticket of a wait that has ended (I10).
// Source and slot name each other, so a wake-up's From can be compared with the slot alone. It
// asks Holds of every source of an ended wait, the host's own included; a source that answers
// wrongly is reported like one that did not withdraw.
func (v *verifier) checkSources(h *header, id fiber.ID, waits bool) {
	c := v.core
	t := fiber.Ticket{ID: id, Seq: h.seq}
	for _, slot := range c.reg.slotsOf(h, nil) {
		if slot == 0 || slot > uint32(len(v.sourceRefs)) || c.reg.sources.at(slot).source == nil ||
			c.reg.sources.at(slot).source.Anchored().Slot() != slot {
			v.broken(rule.I10, "%v refers to source slot %d, which is free", id, slot)
		}
		v.sourceRefs[slot-1]++
		if !waits && !h.has(owed|kept) {
			v.broken(rule.I10, "%v refers to source slot %d after its wait", id, slot)
		}
		if src := c.reg.sources.at(slot).source; !waits && src.Holds(t) {
			v.broken(rule.I10, "%s still holds %v, whose wait has ended", nameOf(src), t)
		}
	}
}

// checkSourceRefs: each source slot counts the waits and alarms that refer to it (I10). One
// reference too few frees the slot under a waiting fiber; one too many keeps the source alive
// until the scheduler is dropped.
func (v *verifier) checkSourceRefs() {
	for i, refs := range v.sourceRefs {
		if e := &v.core.reg.sources.entries[i]; e.refs != refs {
			v.broken(rule.I10, "%d waits refer to source slot %d, %d counted", refs, i+1, e.refs)
		}
	}
}
