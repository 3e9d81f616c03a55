package proptest

import "github.com/selvage-dev/selvage/spec"

func lend(r *Rig, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	if id := r.Scheduler.Moves().Lend(); id.ID() != r.names.context(from.Current) {
		return spec.NoAnswer, errorf("lends %v, not %v", id, from.Current)
	}
	return spec.NoAnswer, nil
}

func recall(r *Rig, _ *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	r.Scheduler.Moves().Recall(r.names.regular(a.Slot()))
	return spec.NoAnswer, nil
}

// lentTo counts those whose slices workers run.
func (r *Rig) lentTo(m *spec.State) int {
	n := 0
	for f := range r.bounds.Fibers {
		if m.Fibers[f].Lent {
			n++
		}
	}
	return n
}
