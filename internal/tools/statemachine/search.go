package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/selvage-dev/selvage/spec"
)

// machines are searched through for the diagrams: together they have everything there is,
// and each is small.
var machines = [...]spec.Config{
	{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1, Deadlines: 2, Masks: 1, Grace: true},
	{Fibers: 1, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true},
	{Fibers: 2, Trampolines: 2, Tokens: 0, Tickets: 1, Pins: 2, AllNest: true, Runs: true},
	{Fibers: 1, Trampolines: 1, Tokens: 0, Tickets: 1, Moves: true, Outside: true, Lends: true, Holds: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Holds: true},
	{Fibers: 2, Trampolines: 0, Tokens: 0, Tickets: 1, Free: true},
}

const limit = 2_000_000

// finding is what was found in the graphs.
type finding struct {
	// answers are those that each kind gives.
	answers map[spec.Kind]map[spec.Answer]bool
	// moves are, by view, what a step makes of a context or fiber: kinds by from and to.
	moves map[string]map[move]map[spec.Kind]bool
	// states and edges count what was looked at.
	states, edges int
}

type move struct{ from, to string }

func search() (*finding, error) {
	f := &finding{answers: map[spec.Kind]map[spec.Answer]bool{}, moves: map[string]map[move]map[spec.Kind]bool{}}
	for _, c := range machines {
		g, err := c.Explore(limit, func(g *spec.Graph, e spec.Edge) { f.note(&g.States[e.From], e, &g.States[e.To]) })
		if err != nil {
			return nil, fmt.Errorf("%+v: %w", c, err)
		}
		f.states += len(g.States)
		f.edges += g.Edges
	}
	return f, nil
}

// note enters one edge.
func (f *finding) note(from *spec.State, e spec.Edge, to *spec.State) {
	put(f.answers, e.Action.Kind, e.Answer)
	for _, d := range diagrams() {
		m := move{d.of(from), d.of(to)}
		if m.from == m.to {
			continue
		}
		if f.moves[d.title] == nil {
			f.moves[d.title] = map[move]map[spec.Kind]bool{}
		}
		put(f.moves[d.title], m, e.Action.Kind)
	}
}

func put[K, V comparable](in map[K]map[V]bool, k K, v V) {
	if in[k] == nil {
		in[k] = map[V]bool{}
	}
	in[k][v] = true
}

// sorted is the keys in order.
func sorted[K ~uint8](set map[K]bool) []K { return slices.Sorted(maps.Keys(set)) }
