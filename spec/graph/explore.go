package graph

import (
	"errors"
	"fmt"
	"slices"
)

// ErrLimit reports an exploration that was cut short: it proves nothing about the
// states it has not seen.
var ErrLimit = errors.New("spec: the graph is larger than the limit")

// Graph is the reachable part of a machine, in breadth-first order: state 0 is the first
// one, and every Path is a shortest one.
type Graph[M Machine[S, A, R], S comparable, A, R fmt.Stringer] struct {
	Config M
	States []S
	// Parent and Via are the breadth-first tree: state i was first reached from
	// Parent[i] by Via[i]; Parent[0] is -1.
	Parent []int
	Via    []A
	// Edges counts every enabled action of every state, Depth is the length of the
	// longest Path.
	Edges, Depth int

	numbers numbering[S]
}

// Edge is one transition between two states of a Graph.
type Edge[A, R fmt.Stringer] struct {
	From, To int
	Action   A
	Answer   R
}

// Violation is an invariant that does not hold, with the shortest way to break it.
type Violation[S comparable, A fmt.Stringer] struct {
	Breach Breach
	Path   []A
	State  S
}

// Error names the invariant, what is wrong and the actions that lead to it.
func (v *Violation[S, A]) Error() string {
	return fmt.Sprintf("spec: %v after %v", v.Breach, v.Path)
}

// Explore enumerates every state that can be reached from the first one and checks each
// state and each step. It calls visit, if not nil, for every edge; both ends are in the
// graph by then. The error is a *Violation at the first breach, ErrLimit if there are
// more than limit states, or that of Valid; nil means that the graph is complete.
func Explore[M Machine[S, A, R], S comparable, A, R fmt.Stringer](
	m M, limit int, visit func(*Graph[M, S, A, R], Edge[A, R]),
) (*Graph[M, S, A, R], error) {
	g := &Graph[M, S, A, R]{Config: m, numbers: newNumbering[S]()}
	if err := m.Valid(); err != nil {
		return g, err
	}
	all := m.All()
	first := m.Init()
	_, place, _ := g.numbers.find(nil, &first)
	var none A
	if err := g.add(-1, none, &first, place); err != nil {
		return g, err
	}
	for i, level := 0, 1; i < len(g.States); i++ {
		if i == level {
			level = len(g.States)
			g.Depth++
		}
		for _, a := range all {
			if err := g.step(i, a, limit, visit); err != nil {
				return g, err
			}
		}
	}
	return g, nil
}

// step follows one edge, if there is one.
func (g *Graph[M, S, A, R]) step(i int, a A, limit int, visit func(*Graph[M, S, A, R], Edge[A, R])) error {
	to := g.States[i]
	answer, ok := g.Config.Step(&to, a)
	if !ok {
		return nil
	}
	g.Edges++
	if b := g.Config.CheckStep(&g.States[i], a, answer, &to); !b.OK() {
		return &Violation[S, A]{b, append(g.Path(i), a), to}
	}
	j, err := i, error(nil)
	if to != g.States[i] { // much is refused: spare the look-up
		j, err = g.number(i, a, &to, limit)
	}
	if err != nil {
		return err
	}
	if visit != nil {
		visit(g, Edge[A, R]{i, j, a, answer})
	}
	return nil
}

// number is the number of s; a state not seen before gets the next one.
func (g *Graph[M, S, A, R]) number(parent int, via A, s *S, limit int) (int, error) {
	i, place, known := g.numbers.find(g.States, s)
	if known {
		return i, nil
	}
	if len(g.States) >= limit {
		return 0, ErrLimit
	}
	return len(g.States), g.add(parent, via, s, place)
}

func (g *Graph[M, S, A, R]) add(parent int, via A, s *S, place uint64) error {
	g.numbers.byHash[place] = int32(len(g.States))
	g.States = append(g.States, *s)
	g.Parent = append(g.Parent, parent)
	g.Via = append(g.Via, via)
	if b := g.Config.Check(s); !b.OK() {
		return &Violation[S, A]{b, g.Path(len(g.States) - 1), *s}
	}
	return nil
}

// Path is the actions that lead from the first state to state i.
func (g *Graph[M, S, A, R]) Path(i int) []A {
	var path []A
	for ; i > 0; i = g.Parent[i] {
		path = append(path, g.Via[i])
	}
	slices.Reverse(path)
	return path
}

// Find is the number of a state, and false if it is not in the graph.
func (g *Graph[M, S, A, R]) Find(s S) (int, bool) {
	i, _, ok := g.numbers.find(g.States, &s)
	return i, ok
}
