package inspect

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// AddSteps adds how many steps the fibers have executed, as a host such as host/lua/fibers tells (Host.Steps). The owner
// calls it at the moment of the Report. of is not called for native calls, nor for a fiber whose slice another goroutine
// runs: these get nothing. A nil function counts none.
func (r *Report) AddSteps(of func(fiber.RegularID) (steps uint64, counted bool)) {
	for i := range r.Fibers {
		f := &r.Fibers[i]
		id, err := fiber.ParseID(f.ID)
		if err != nil || f.Lent {
			continue // no Report has an ID that is none
		}
		f.Steps = stepsOf(id, of)
	}
}

// stepsOf are the steps of a fiber; nil if they are not counted.
func stepsOf(id fiber.ID, of func(fiber.RegularID) (uint64, bool)) *uint64 {
	root, regular := id.Regular()
	if !regular || of == nil {
		return nil
	}
	if steps, counted := of(root); counted {
		return &steps
	}
	return nil
}

// lent tells whether another goroutine runs the slice of a fiber. It is the owner's.
func (h *Handler) lent(of scheduler.Inspect, id fiber.ID) bool {
	return of.State(id) == fiber.Running && id != h.cfg.Core.Current()
}
