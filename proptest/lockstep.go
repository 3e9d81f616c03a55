package proptest

import (
	"fmt"

	"github.com/selvage-dev/selvage/spec"
)

// Lockstep is a scheduler and its model, which do the same.
type Lockstep struct {
	*Rig
	// Model decides what an action does. It is the bounds of the rig, unless a mutant
	// broke it.
	Model spec.Config
	// State is where the model is.
	State spec.State

	to spec.State // the next one; here, because a local would be garbage at each step
}

// NewLockstep starts both at the beginning.
func NewLockstep(bounds spec.Config, host Host) *Lockstep {
	return &Lockstep{Rig: NewRig(bounds, host), Model: bounds, State: bounds.Init()}
}

// Do performs an enabled action on both and compares the answers. Only an error leaves
// the two apart.
func (l *Lockstep) Do(a spec.Action) error {
	to, want := l.Model.Do(l.State, a)
	l.to = to
	answer, err := l.Rig.Do(&l.State, a, &l.to)
	if err != nil {
		return fmt.Errorf("%v: %w", a, err)
	}
	if answer != want {
		return fmt.Errorf("%v: %w", a, errorf("answers %v, the model %v", answer, want))
	}
	l.State = l.to
	return nil
}

// Step is Do, and then a comparison of the states.
func (l *Lockstep) Step(a spec.Action) error {
	if err := l.Do(a); err != nil {
		return err
	}
	if err := l.Match(&l.State); err != nil {
		return fmt.Errorf("after %v: %w", a, err)
	}
	return nil
}
