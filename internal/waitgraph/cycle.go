package waitgraph

// States of a vertex in a search for cycles; 0 is a vertex that was not reached.
const (
	onPath   = 1
	finished = 2
)

// Cycle returns the waiters of one cycle, each of which waits for the next, the last for
// the first. It is empty if there is no cycle.
func (g *Graph) Cycle() []Vertex {
	starts := make([]Vertex, g.waiters)
	for v := range starts {
		starts[v] = Vertex(v)
	}
	edges := g.adjacent(edge.forward, g.edges)
	return g.cycleFrom(&edges, starts, make([]uint8, len(g.canProgress)))
}

// cycleFrom searches depth first from the starts in their order, and returns the waiters of
// the first cycle that closes. mark is by vertex; searches that share it do not visit a
// vertex twice.
func (g *Graph) cycleFrom(edges *adjacency, starts []Vertex, mark []uint8) []Vertex {
	var path []Vertex
	var next []int32 // by position on the path: which edge to follow next
	enter := func(v Vertex) {
		mark[v] = onPath
		path, next = append(path, v), append(next, 0)
	}
	for _, start := range starts {
		if mark[start] == 0 {
			enter(start)
		}
		for len(path) > 0 {
			top := len(path) - 1
			out := edges.of(path[top])
			if int(next[top]) == len(out) {
				mark[path[top]] = finished
				path, next = path[:top], next[:top]
				continue
			}
			v := out[next[top]]
			next[top]++
			switch mark[v] {
			case 0:
				enter(v)
			case onPath:
				return g.waitersFrom(path, v)
			}
		}
	}
	return nil
}

// waitersFrom returns the waiters on the path from the vertex to the end. It reuses the
// memory of the path.
func (g *Graph) waitersFrom(path []Vertex, from Vertex) []Vertex {
	start := len(path) - 1
	for path[start] != from {
		start--
	}
	found := path[:0]
	for _, v := range path[start:] {
		if v < g.waiters {
			found = append(found, v)
		}
	}
	return found
}
