package proptest

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// distance is how far off each deadline of the model is when a wait begins: so far that
// none of the walks comes to a later one by waiting for the earlier ones.
var distance = [spec.MaxDeadlines]fiber.Time{1, 1 << 40}

// gracePeriod ends between deadline 0 and the others.
const gracePeriod = 1 << 20

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
	if due, live := r.nextDue(from); live && from.Current == spec.NoSlot {
		r.clock.Advance(due)
		answer = spec.NoAnswer
	}
	r.Scheduler.Poll()
	return answer, nil
}

// nextDue is when time next brings something.
func (r *Rig) nextDue(m *spec.State) (due fiber.Time, live bool) {
	if m.GraceIsNext() {
		return r.names.grace, true
	}
	if d, live := m.Earliest(); live {
		return r.names.due[d], true
	}
	return fiber.Never, false
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
	due, live := r.nextDue(m)
	if !live || m.Current != spec.NoSlot || m.ReadyLen > 0 {
		return nil
	}
	if v := r.Scheduler.Idle(); v.Kind != scheduler.Waiting || v.Until != due {
		return errorf("the verdict is %v until %v, not waiting until %v", v.Kind, v.Until, due)
	}
	return nil
}
