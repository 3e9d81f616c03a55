package proptest

import (
	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/spec/graph"
)

func lend(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	if id := r.Scheduler.Moves().Lend(); id.ID() != r.names.context(from.Current) {
		return spec.NoAnswer, errorf("lends %v, not %v", id, from.Current)
	}
	return spec.NoAnswer, nil
}

func recall(r *Harness, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	r.Scheduler.Moves().Recall(r.names.regular(a.Slot()))
	return spec.NoAnswer, nil
}

// lentTo counts those whose slices workers run.
func (r *Harness) lentTo(m *spec.State) int {
	n := 0
	for f := range r.bounds.Fibers {
		n += graph.Count(m.Fibers[f].Lent)
	}
	return n
}
