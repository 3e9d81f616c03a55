package proptest

import (
	"math/rand/v2"

	"github.com/selvage-dev/selvage/spec"
)

// Walk takes random steps, and remembers them.
type Walk struct {
	*Lockstep
	Taken   []spec.Action
	all     []spec.Action
	enabled []spec.Action
}

// NewWalk starts a walk at the beginning.
func NewWalk(l *Lockstep) *Walk { return &Walk{Lockstep: l, all: l.Model.All()} }

// Take takes the step that the number chooses among those possible. There always is
// one: a fiber can be spawned, scheduled, or killed.
func (w *Walk) Take(number uint32) error {
	w.enabled = w.enabled[:0]
	for _, a := range w.all {
		if w.Model.Can(&w.State, a) {
			w.enabled = append(w.enabled, a)
		}
	}
	a, ok := Choose(w.enabled, number)
	if !ok {
		return errorf("has come to a state without an action: %s", w.Model.Key(&w.State))
	}
	w.Taken = append(w.Taken, a)
	return w.Step(a)
}

// Wander takes n steps from a seed.
func (w *Walk) Wander(seed uint64, n int) error { return w.WanderAmong(seed, n, nil) }

// WanderAmong is Wander with a StaleProbe at work between the steps, unless it is nil. Its
// steps are many: the location table is looked at after every fourth.
func (w *Walk) WanderAmong(seed uint64, n int, probe *StaleProbe) error {
	w.brief = probe != nil
	rng := rand.New(rand.NewPCG(seed, 1))
	for range n {
		if err := w.Take(rng.Uint32()); err != nil {
			return err
		}
		if probe == nil || w.held != nil {
			continue
		}
		if err := probe.Try(w.Lockstep); err != nil {
			return err
		}
	}
	return nil
}

// Explain turns the error of a step into the shortest list of actions that still ends
// in a difference, on fresh schedulers.
func (w *Walk) Explain(fresh func() *Lockstep, err error) error {
	if f := Shrink(fresh, w.Taken); f != nil {
		return f
	}
	return &Failure{w.Model, w.Taken, err}
}
