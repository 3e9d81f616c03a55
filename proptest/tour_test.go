package proptest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/spec/graph"
)

// guide performs the actions of a model on the real objects.
type guide[S, A, R any] interface {
	// do performs an action that leads from one state to another, and tells the answer.
	do(from *S, a A, to *S) (R, error)
	// refuses has the objects asked for what the state does not enable; nil if they
	// refuse as they should, or if no caller can ask for it.
	refuses(s *S, a A) error
	// match compares everything that can be seen.
	match(s *S) error
}

// stray is a difference between the model and the objects, after some actions.
type stray struct {
	actions int
	error
}

// foundOn is for tours that must not come to their end.
func foundOn(t *testing.T, err error) {
	t.Helper()
	var s *stray
	if !errors.As(err, &s) {
		t.Fatalf("it lives: %v", err)
	}
	t.Log(s)
	if s.actions > shortEnough {
		t.Errorf("it takes %d actions to show it", s.actions)
	}
}

// tour follows the edges of a graph with real objects, each from new ones. The model may
// be another than that of the graph: a broken one must be found out.
type tour[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer] struct {
	graph *graph.Graph[M, S, A, R]
	model M
	fresh func() guide[S, A, R]

	stride int // from one state whose edges are followed to the next; 0 is 1, each of them

	edges, refusals, steps int
}

// everywhere follows every edge, and tries in every state what it does not enable.
func (t *tour[M, S, A, R]) everywhere() error {
	all := t.graph.Config.All()
	for i := 0; i < len(t.graph.States); i += max(1, t.stride) {
		for _, a := range all {
			if !t.enabled(t.graph.Config, i, a) && !t.enabled(t.model, i, a) {
				continue
			}
			t.edges++
			if err := t.follow(append(t.graph.Path(i), a)); err != nil {
				return err
			}
		}
		if err := t.knock(i, all); err != nil {
			return err
		}
	}
	return nil
}

func (t *tour[M, S, A, R]) enabled(m M, i int, a A) bool {
	s := t.graph.States[i]
	_, ok := m.Step(&s, a)
	return ok
}

// follow walks a path and compares at its end. What is on the way was an end before.
func (t *tour[M, S, A, R]) follow(path []A) error {
	g, s := t.fresh(), t.model.Init()
	for _, a := range path {
		if err := t.do(g, &s, a); err != nil {
			return &stray{len(path), fmt.Errorf("%v: %v: %w", path, a, err)}
		}
	}
	if err := seen(g, &s); err != nil {
		return &stray{len(path), fmt.Errorf("after %v: %w", path, err)}
	}
	return nil
}

func (t *tour[M, S, A, R]) do(g guide[S, A, R], s *S, a A) (err error) {
	defer caught(&err)
	t.steps++
	to := *s
	want, enabled := t.model.Step(&to, a)
	if !enabled {
		return fmt.Errorf("the model refuses")
	}
	got, err := g.do(s, a, &to)
	if err == nil && got.String() != want.String() {
		err = fmt.Errorf("answers %v, want %v", got, want)
	}
	*s = to
	return err
}

// knock tries everything that state i does not enable: nothing may change.
func (t *tour[M, S, A, R]) knock(i int, all []A) error {
	g, s := t.fresh(), t.model.Init()
	for _, a := range t.graph.Path(i) {
		if err := t.do(g, &s, a); err != nil {
			return err
		}
	}
	for _, a := range all {
		if t.enabled(t.model, i, a) {
			continue
		}
		t.refusals++
		if err := turnedAway(g, &s, a); err != nil {
			return fmt.Errorf("%v after %v: %w", a, t.graph.Path(i), err)
		}
	}
	return nil
}

func turnedAway[S, A, R any](g guide[S, A, R], s *S, a A) (err error) {
	defer caught(&err)
	if err := g.refuses(s, a); err != nil {
		return err
	}
	return g.match(s)
}

func seen[S, A, R any](g guide[S, A, R], s *S) (err error) {
	defer caught(&err)
	return g.match(s)
}
