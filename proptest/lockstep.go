package proptest

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec"
)

// Lockstep is a scheduler and its model, which do the same.
type Lockstep struct {
	*Harness
	// Model decides what an action does. It is the bounds of the harness, unless a mutant
	// broke it.
	Model spec.Config
	// State is where the model is.
	State spec.State

	to   spec.State // the next one; here, because a local would be garbage at each step
	held *heldArm   // what the model has done and the scheduler has not
}

// heldArm is an Arm that is held back, to be one call with the Block behind it.
type heldArm struct {
	action spec.Action
	from   spec.State
}

// NewLockstep starts both at the beginning.
func NewLockstep(bounds spec.Config, host Host) *Lockstep {
	return &Lockstep{Harness: NewHarness(bounds, host), Model: bounds, State: bounds.Init()}
}

// Do performs an enabled action on both and compares the answers. Only an error leaves
// the two apart.
func (l *Lockstep) Do(a spec.Action) error {
	l.to = l.State
	want, ok := l.Model.Step(&l.to, a)
	switch {
	case !ok:
		want = spec.AnswerRefused
	case l.held != nil:
		return l.release(a, want)
	case l.host.Merges && l.odd() && isArm(a.Kind):
		l.held = &heldArm{a, l.State}
		l.State = l.to
		return nil
	}
	return l.both(a, want)
}

func isArm(k spec.Kind) bool { return k == spec.ArmQueue || k == spec.ArmIO || k == spec.ArmTimer }

// both is Do when nothing is held back.
func (l *Lockstep) both(a spec.Action, want spec.Answer) error {
	answer, err := l.Harness.Do(&l.State, a, &l.to)
	return l.compare(a, answer, want, err)
}

func (l *Lockstep) compare(a spec.Action, answer, want spec.Answer, err error) error {
	if err != nil {
		return fmt.Errorf("%v: %w", a, err)
	}
	if answer != want {
		return fmt.Errorf("%v: %w", a, errorf("answers %v, the model %v", answer, want))
	}
	l.State = l.to
	return nil
}

// release performs what was held back, in one call with a if there is one for both.
func (l *Lockstep) release(a spec.Action, want spec.Answer) error {
	h := l.held
	l.held = nil
	if a.Kind == spec.Block {
		if answer, ok, err := l.merge(h, &l.State, &l.to); ok {
			return l.compare(a, answer, want, err)
		}
	}
	if answer, err := l.Harness.Do(&h.from, h.action, &l.State); err != nil || answer != spec.NoAnswer {
		return fmt.Errorf("%v: %v, %w", h.action, answer, err)
	}
	return l.both(a, want)
}

// Step is Do, and then a comparison of the states.
func (l *Lockstep) Step(a spec.Action) error {
	if err := l.Do(a); err != nil || l.held != nil {
		return err
	}
	if err := l.Match(&l.State); err != nil {
		return fmt.Errorf("after %v: %w", a, err)
	}
	return nil
}
