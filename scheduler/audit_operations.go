package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// checkOperations: the owner of operations under way lives in the slot that the queue
// knows, and is flagged, so that its end abandons them (I12). The flag may be set without
// operations, because only the fiber's end clears it. Dead slots are checked too: no operation
// may refer to one.
func (v *verifier) checkOperations(h *header, slot uint32) {
	o := v.core.io.OwnerIn(slot)
	if o != 0 && (h.state() == fiber.Dead || o != fiber.NewRegularID(slot, h.gen) || !h.has(operates)) {
		v.broken(rule.I12, "%v has operations under way, and does not live here or leaves them behind", o)
	}
}
