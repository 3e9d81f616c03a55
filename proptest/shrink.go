package proptest

import (
	"slices"

	"github.com/selvage-dev/selvage/spec"
)

// Replay performs the actions from the beginning, leaving out those that the model
// does not enable where they stand, and compares after each. It returns a *Failure
// with what it performed, or nil.
func Replay(fresh func() *Lockstep, actions []spec.Action) *Failure {
	l := fresh()
	var done []spec.Action
	for _, a := range actions {
		if !l.Model.Can(&l.State, a) {
			continue
		}
		done = append(done, a)
		if err := l.Step(a); err != nil {
			return &Failure{l.Model, done, err}
		}
	}
	return nil
}

// Shrink looks for a shorter list of actions that fails too: it leaves out ever
// smaller parts as long as what remains fails. It returns nil if the list itself does
// not fail when it is replayed.
func Shrink(fresh func() *Lockstep, actions []spec.Action) *Failure {
	best := Replay(fresh, actions)
	if best == nil {
		return nil
	}
	for part := len(best.Actions) / 2; part > 0; {
		if shorter := without(fresh, best.Actions, part); shorter != nil {
			best = shorter
			part = min(part, len(best.Actions)/2)
			continue
		}
		part /= 2
	}
	return best
}

// without is the first failure of the list without one part of the given length. The
// last action, which shows the failure, stays.
func without(fresh func() *Lockstep, actions []spec.Action, part int) *Failure {
	for at := 0; at+part < len(actions); at += part {
		fewer := slices.Concat(actions[:at], actions[at+part:])
		if f := Replay(fresh, fewer); f != nil && len(f.Actions) < len(actions) {
			return f
		}
	}
	return nil
}
