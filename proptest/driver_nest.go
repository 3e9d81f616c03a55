package proptest

import (
	"context"
	"errors"
	"slices"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec"
)

// failPinned also compares which fiber the verdict names.
func failPinned(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	if from.Current == spec.NoSlot {
		r.Scheduler.Steps().DrainCommands() // as a pump does before it looks whether anything can go on
	}
	err := r.Scheduler.Calls().FailPinned()
	call, _ := from.Pump()
	r.ledger.verdict[from.Root(call)] = err
	if r.run != nil && r.ledger.first == nil {
		r.ledger.first = err
	}
	var deadlock *scheduler.DeadlockError
	var inversion *scheduler.StackInversionError
	switch {
	case errors.As(err, &deadlock):
		return spec.AnswerDeadlock, r.shows(deadlock.Report, from)
	case !errors.As(err, &inversion):
		return spec.NoAnswer, errorf("fails the pinned call with %v", err)
	case inversion.Above != r.names.id[call] || inversion.Below != r.names.context(from.Buried()):
		return spec.NoAnswer, errorf("says that %v buries %v, not %v %v", inversion.Above, inversion.Below, call, from.Buried())
	}
	return spec.AnswerStackInversion, r.shows(inversion.Report, from)
}

// endRun is the end of a loop of the host's own, and the beginning of the next one.
func endRun(r *Harness, from *spec.State, _ spec.Action, _ *spec.State) (spec.Answer, error) {
	if from.Current == spec.NoSlot {
		r.Scheduler.Steps().DrainCommands()
	}
	v := r.Scheduler.Steps().IdleVerdict()
	if v.Kind != scheduler.Done {
		return spec.AnswerRefused, nil
	}
	over, err := r.run.Finished(v)
	if !over || err != r.ledger.first {
		return spec.NoAnswer, errorf("a run ends with %v (%v), not with %v", err, over, r.ledger.first)
	}
	r.run.Close()
	r.run, r.ledger.first = r.Scheduler.Steps().Begin(context.Background()), nil
	return resultOf(err), nil
}

// resultOf is the error of a run in the words of the model.
func resultOf(err error) spec.Answer {
	switch err.(type) {
	case *scheduler.DeadlockError:
		return spec.AnswerDeadlock
	case *scheduler.StackInversionError:
		return spec.AnswerStackInversion
	}
	return spec.NoAnswer
}

// matchPins compares which pump is to run, which fiber unwinds because of a verdict, and, if
// a fiber runs, whether a native call of it would be pinned.
func (r *Harness) matchPins(m *spec.State) error {
	call, goesOn := m.Pump()
	got, realGoesOn := r.Scheduler.Calls().Pinned()
	if got.ID() != r.names.context(call) || realGoesOn != goesOn {
		return errorf("pumps for %v (%v), not for %v (%v)", got, realGoesOn, call, goesOn)
	}
	if m.Current == spec.NoSlot {
		return nil
	}
	root := &m.Fibers[m.Current]
	if r.Scheduler.Calls().Nests() != root.Nests {
		return errorf("%v nests: %v", m.Current, !root.Nests)
	}
	unwinding := r.Scheduler.Unwind().UnwindCause()
	switch {
	case root.Doomed:
		return r.isCauseOf(unwinding, m.Current)
	case root.Fatal:
		return r.isVerdict(unwinding, m.Current)
	case unwinding != nil:
		return errorf("%v has to unwind: %v", m.Current, unwinding)
	}
	return nil
}

func (r *Harness) isCauseOf(unwinding error, f spec.Slot) error {
	if !isCause(unwinding, r.ledger.cause[f]) {
		return errorf("%v unwinds because of %v, not of %v", f, unwinding, r.ledger.cause[f])
	}
	return nil
}

// isVerdict: the Fatal panic in force is the verdict that failed the pinned call.
func (r *Harness) isVerdict(why error, f spec.Slot) error {
	panicked, ok := errors.AsType[*scheduler.PanicError](why)
	if !ok || panicked.Value != r.ledger.verdict[f] {
		return errorf("%v has to unwind because of %v, not of %v", f, why, r.ledger.verdict[f])
	}
	return nil
}

// shows: the report of a verdict has every pinned fiber, with the call that it waits
// for, and tells which of the calls are buried.
func (r *Harness) shows(report *scheduler.Report, m *spec.State) error {
	for _, f := range m.Pins() {
		call := m.Top(f)
		buried := m.Contexts[call].Status == spec.Running
		caller := func(b scheduler.BlockedFiber) bool {
			return b.ID == r.names.id[f] && b.Callee == r.names.id[m.ChainOf(f)[0]]
		}
		callee := func(b scheduler.BlockedFiber) bool { return b.ID == r.names.id[call] && b.Pinned == buried }
		if !slices.ContainsFunc(report.Fibers, caller) || !slices.ContainsFunc(report.Fibers, callee) {
			return errorf("reports a verdict without %v, which waits for %v, buried: %v\n%v", f, call, buried, report)
		}
	}
	return nil
}
