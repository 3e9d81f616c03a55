package proptest

import (
	"github.com/selvage-dev/selvage/spec"
)

// hold is a pause of the fiber that is next in the ready queue, and the poll that holds it.
func hold(r *Harness, from *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	if from.Current == spec.NoSlot {
		if err := r.Scheduler.Attachments().Pause(r.names.id[a.Slot()]); err != nil {
			return spec.NoAnswer, err
		}
	}
	r.Scheduler.Poll()
	return spec.NoAnswer, nil
}

func resume(r *Harness, from *spec.State, a spec.Action, _ *spec.State) (spec.Answer, error) {
	answer := spec.NoAnswer
	if !from.Fibers[a.Slot()].Held {
		answer = spec.AnswerRefused
	}
	return answer, r.Scheduler.Attachments().Resume(r.names.dead(a.Slot()))
}
