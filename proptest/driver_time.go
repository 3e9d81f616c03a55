package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// distance is how far off each deadline of the model is when a wait begins: so far that
// none of the walks comes to a later one by waiting for the earlier ones.
var distance = [spec.MaxDeadlines]fiber.Time{1, 1 << 40}

// deadline is the instant that an Arm gives its wait.
func (r *Rig) deadline(a spec.Action) fiber.Time {
	d, has := a.Deadline()
	if !has {
		return fiber.Never
	}
	r.names.due[d] = r.clock.Now() + distance[d]
	return r.names.due[d]
}

func armTimer(r *Rig, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	return spec.NoAnswer, r.publish(r.Scheduler.Arm(fiber.Until(r.deadline(a))), from, to)
}

// expire lets time pass up to the next deadline. Where there is none, it passes all the
// same, and nothing may come of it.
func expire(r *Rig, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	answer := spec.AnswerRefused
	if d, live := from.Earliest(); live && from.Current == spec.NoSlot {
		r.clock.Advance(r.names.due[d])
		answer = spec.NoAnswer
	}
	r.Scheduler.Poll()
	return answer, nil
}

// dueOf is when x's wait ends by itself.
func (r *Rig) dueOf(m *spec.State, x spec.Slot) fiber.Time {
	if d, has := m.DeadlineOf(x); has {
		return r.names.due[d]
	}
	return fiber.Never
}

// matchTime: when nobody can run, the verdict knows until when, and only live deadlines
// are waited for.
func (r *Rig) matchTime(m *spec.State) error {
	d, live := m.Earliest()
	if !live || m.Current != spec.NoSlot || m.ReadyLen > 0 {
		return nil
	}
	if v := r.Scheduler.Idle(); v.Kind != scheduler.Waiting || v.Until != r.names.due[d] {
		return errorf("the verdict is %v until %v, not until deadline %d at %v", v.Kind, v.Until, d, r.names.due[d])
	}
	return nil
}
