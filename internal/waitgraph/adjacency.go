package waitgraph

// adjacency holds edges sorted by the vertex they leave.
type adjacency struct {
	first []int32 // by vertex: where its edges begin; the next entry is where they end
	to    []Vertex
}

func (a *adjacency) of(v Vertex) []Vertex { return a.to[a.first[v]:a.first[v+1]] }

// adjacent sorts edges, each turned as direction says. Edges that leave the same vertex
// keep their order. It is a counting sort, so it takes linear time.
func (g *Graph) adjacent(direction func(edge) edge, lists ...[]edge) adjacency {
	a := adjacency{first: make([]int32, len(g.canProgress)+2)}
	total := 0
	for _, edges := range lists {
		total += len(edges)
		for _, e := range edges {
			a.first[direction(e).from+2]++
		}
	}
	for v := 2; v < len(a.first); v++ {
		a.first[v] += a.first[v-1]
	}
	a.to = make([]Vertex, total)
	for _, edges := range lists {
		for _, e := range edges {
			e = direction(e)
			a.to[a.first[e.from+1]] = e.to
			a.first[e.from+1]++ // ends where the next vertex begins
		}
	}
	return a
}
