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
func (r *Harness) deadline(a spec.Action) fiber.Time {
	d, has := a.Deadline()
	if !has {
		return fiber.Never
	}
	r.names.due[d] = r.clock.Now() + distance[d]
	return r.names.due[d]
}

func armTimer(r *Harness, from *spec.State, a spec.Action, to *spec.State) (spec.Answer, error) {
	return spec.NoAnswer, r.publish(r.Scheduler.Arm(fiber.Until(r.deadline(a))), from, to)
}

// expire lets time pass up to the next deadline. Where there is none, it passes all the
// same, and nothing may come of it.
func expire(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	answer := spec.AnswerRefused
	if due, live := r.nextDue(from); live && from.Current == spec.NoSlot {
		r.clock.Advance(due)
		answer = spec.NoAnswer
	}
	r.Scheduler.Poll()
	return answer, nil
}

// nextDue is when time next brings something.
func (r *Harness) nextDue(m *spec.State) (due fiber.Time, live bool) {
	if m.GraceIsNext() {
		return r.names.grace, true
	}
	if d, live := m.Earliest(); live {
		return r.names.due[d], true
	}
	return fiber.Never, false
}

// dueOf is when x's wait ends by itself.
func (r *Harness) dueOf(m *spec.State, x spec.Slot) fiber.Time {
	if d, has := m.DeadlineOf(x); has {
		return r.names.due[d]
	}
	return fiber.Never
}

// matchVerdict: when no fiber can run the verdict knows what is waited for, and until when
// at the latest.
func (r *Harness) matchVerdict(m *spec.State) error {
	if m.Current != spec.NoSlot {
		return nil
	}
	r.Scheduler.Steps().DrainCommands() // a Sender that closes asks for a new verdict
	v := r.Scheduler.Steps().IdleVerdictWithReport()
	if want := r.verdictOn(m); v.Kind != want {
		return errorf("the verdict is %v, not %v", v.Kind, want)
	}
	if r.run != nil && r.Scheduler.Inspect().Live() == 0 && resultOf(v.Err()) != m.Verdict {
		return errorf("a run that ends now ends with %v, not %v", v.Err(), m.Verdict)
	}
	if due, _ := r.nextDue(m); v.Kind == scheduler.Waiting && v.Until != due {
		return errorf("waits until %v, not %v", v.Until, due)
	}
	return nil
}

func (r *Harness) verdictOn(m *spec.State) scheduler.VerdictKind {
	_, goesOn := m.Pump()
	told := r.bounds.Verdict(m)
	switch {
	case goesOn || m.ReadyLen > 0:
		return scheduler.Busy
	case told == spec.AnswerDeadlock:
		return scheduler.Deadlock
	case told == spec.AnswerStackInversion:
		return scheduler.StackInversion
	case r.Scheduler.Inspect().Live() == 0 && !m.Promised:
		return scheduler.Done
	}
	return scheduler.Waiting
}
