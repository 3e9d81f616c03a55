package scheduler

import (
	"iter"

	"github.com/selvage-dev/selvage/fiber"
)

// Ready is the ready queue, its head first, for inspectors and for the comparison with the
// model. It is valid until the next operation.
func (f Inspect) Ready() iter.Seq[fiber.RegularID] {
	c := f.core
	return func(yield func(fiber.RegularID) bool) {
		for slot := range c.queue() {
			if !yield(fiber.NewRegularID(slot, c.slots.at(slot).gen)) {
				return
			}
		}
	}
}

// ChainOf is the chain of native calls a regular fiber is in, the innermost first;
// nothing for a fiber that is in none or is not alive. It is valid until the next
// operation.
func (f Inspect) ChainOf(root fiber.RegularID) iter.Seq[fiber.TrampolineID] {
	c := f.core
	return func(yield func(fiber.TrampolineID) bool) {
		h := c.slots.find(root.ID())
		if h == nil || !h.has(chained) {
			return
		}
		for at := c.sideOf(h).top; at != 0; at = c.tramps.all[at-1].caller {
			if !yield(c.tramps.id(at - 1)) {
				return
			}
		}
	}
}
