package waitgraph

import "slices"

// Vertex is a vertex of one Graph. Waiters are numbered from 0 in the order they were
// added, so a caller can use a waiter's vertex as the index of its own record.
type Vertex int32

// Graph is a wait-for graph. Its vertices are waiters, one environment, and the objects
// they wait on. An edge leads from a vertex to one that could end its wait.
//
// A caller adds all waiters first, then the environment, then objects and edges, and then
// asks for Cycle and Stuck.
type Graph struct {
	waiters     Vertex
	canProgress []bool // by vertex
	edges       []edge
	barriers    []edge // from an object to the waiters that hold others back there
}

type edge struct{ from, to Vertex }

func (e edge) forward() edge  { return e }
func (e edge) backward() edge { return edge{e.to, e.from} }

// New makes an empty graph with room for that many waiters and objects.
func New(waiters, objects int) *Graph {
	return &Graph{
		canProgress: make([]bool, 0, waiters+1+objects),
		edges:       make([]edge, 0, waiters+2*objects),
	}
}

// AddWaiter adds a waiter. It can progress if its wait ends without any other waiter, for
// example at a deadline.
func (g *Graph) AddWaiter(canProgress bool) Vertex {
	g.waiters++
	return g.add(canProgress)
}

// AddEnvironment adds the vertex that stands for everything not in the graph: the fibers
// that run, and all future ones. It can progress if the caller says so, or if any waiter
// can, because that waiter may do anything when it runs.
func (g *Graph) AddEnvironment(canProgress bool) {
	for _, can := range g.canProgress {
		canProgress = canProgress || can
	}
	g.add(canProgress)
}

// AddObject adds something to wait on. It can progress if it can wake its waiters by
// itself, or if a fiber that is not in the graph can make it do so.
func (g *Graph) AddObject(canProgress bool) Vertex { return g.add(canProgress) }

func (g *Graph) add(canProgress bool) Vertex {
	g.canProgress = append(g.canProgress, canProgress)
	return Vertex(len(g.canProgress) - 1)
}

// CanProgress tells whether any vertex can progress by itself.
func (g *Graph) CanProgress() bool { return slices.Contains(g.canProgress, true) }

// SetCanProgress notes that a vertex can progress by itself.
func (g *Graph) SetCanProgress(v Vertex) { g.canProgress[v] = true }

// Environment is the vertex of everything that is not in the graph.
func (g *Graph) Environment() Vertex { return g.waiters }

// Waiters is how many waiters the graph has.
func (g *Graph) Waiters() int { return int(g.waiters) }

// AddEdge notes that to could end a wait of, or on, from.
func (g *Graph) AddEdge(from, to Vertex) { g.edges = append(g.edges, edge{from, to}) }

// AddBarrier notes that others in the line of the object may be served when the waiter
// gives up. The object can then progress if the waiter can. It is no edge: cycles and
// groups do not follow it.
func (g *Graph) AddBarrier(object, waiter Vertex) {
	g.barriers = append(g.barriers, edge{object, waiter})
}
