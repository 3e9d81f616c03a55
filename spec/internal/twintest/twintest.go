package twintest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/spec/graph"
)

const limit = 1_000_000 // states; a graph that is larger is an error

// Explore searches the whole machine, which must have so many states and edges.
func Explore[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer](t *testing.T, m M, states, edges int) {
	t.Helper()
	g, err := graph.Explore(m, limit, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.States) != states || g.Edges != edges {
		t.Errorf("%d states and %d edges, want %d and %d", len(g.States), g.Edges, states, edges)
	}
}

// Keys searches the whole machine and shows its edges. Equal keys are those of equal states.
func Keys[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer](t *testing.T, m M, show func(A, R)) {
	t.Helper()
	g, err := graph.Explore(m, limit, func(_ *graph.Graph[M, S, A, R], e graph.Edge[A, R]) { show(e.Action, e.Answer) })
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for i := range g.States {
		keys[string(m.AppendKey(nil, &g.States[i]))] = true
	}
	if len(keys) != len(g.States) {
		t.Errorf("%d states have %d keys", len(g.States), len(keys))
	}
}

// Occur wants that everything was seen; name says what is missing.
func Occur(t *testing.T, seen []bool, name func(i int) string) {
	t.Helper()
	for i, was := range seen {
		if !was {
			t.Errorf("%s never occurs", name(i))
		}
	}
}

// Break wants that the machine with each mistake breaks the rule in the table first; rule 0 is
// none: that mistake shows only beside the other twin.
func Break[B interface {
	~uint8
	fmt.Stringer
}, M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer](t *testing.T, rules map[B]uint8, bugs []B, with func(B) M) {
	t.Helper()
	for _, bug := range bugs {
		_, err := graph.Explore(with(bug), limit, nil)
		rule, v := uint8(0), (*graph.Violation[S, A])(nil)
		if errors.As(err, &v) {
			rule = v.Breach.Rule
		} else if err != nil {
			t.Errorf("%v (%d): %v", bug, bug, err)
		}
		if rule != rules[bug] {
			t.Errorf("%v (%d): %v, want I%d", bug, bug, err, rules[bug])
		}
		t.Logf("%-22v %v", bug, err)
	}
}

// Fit wants that each machine is refused for its bounds.
func Fit[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer](t *testing.T, want error, misfits []M) {
	t.Helper()
	for _, m := range misfits {
		if _, err := graph.Explore(m, 10, nil); !errors.Is(err, want) {
			t.Errorf("%+v: error %v, want %v", m, err, want)
		}
	}
}
