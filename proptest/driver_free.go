package proptest

import (
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// choose answers Config.Choose of a machine with spec.Config.Free: what the Pick under way names, and
// otherwise the head of the ready queue.
func (r *Harness) choose(c scheduler.Choice) int {
	for i, id := range c.Fibers {
		if id == r.picked {
			return i
		}
	}
	return 0
}

// pick is Next in which the host chooses. A poll before it has drawn the head, which a second one
// puts back.
func pick(r *Harness, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	if from.Current == spec.NoSlot {
		r.picked = r.names.id[a.Slot()]
		defer func() { r.picked = 0 }()
		r.Scheduler.Poll()
	}
	return next(r, from, a, to)
}
