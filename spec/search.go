package spec

import "github.com/selvage-dev/selvage/spec/graph"

// Graph is the reachable part of the scheduler's machine.
type Graph = graph.Graph[Config, State, Action, Answer]

// Edge is one transition between two states of a Graph.
type Edge = graph.Edge[Action, Answer]

// Violation is an invariant that does not hold, with the shortest way to break it.
type Violation = graph.Violation[State, Action]

// Breach says which invariant of docs/invariants.md does not hold, and how; the zero Breach
// says that all do.
type Breach = graph.Breach

// ErrLimit reports an exploration that was cut short: it proves nothing about the
// states it has not seen.
var ErrLimit = graph.ErrLimit

// Explore enumerates every state that can be reached from Init and checks each state
// and each step; see graph.Explore.
func (c Config) Explore(limit int, visit func(*Graph, Edge)) (*Graph, error) {
	return graph.Explore(c, limit, visit)
}
