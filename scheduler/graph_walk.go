package scheduler

import "github.com/selvage-dev/selvage/fiber"

// The walks over a wait-for graph. None of them recurses: a chain of a million fibers is
// as deep as it is long.

// adjacency is a list of edges in order of the vertices they leave.
type adjacency struct {
	first []int32 // by vertex: where its edges begin, and at the next where they end
	to    []int32
}

func (a *adjacency) of(v int32) []int32 { return a.to[a.first[v]:a.first[v+1]] }

// adjacent orders edges, taken as the direction says, by where they leave, and keeps
// their order otherwise.
func (g *graph) adjacent(direction func(arc) arc, edges ...[]arc) adjacency {
	a := adjacency{first: make([]int32, len(g.hope)+2)}
	total := 0
	for _, list := range edges {
		total += len(list)
		for _, e := range list {
			a.first[direction(e).from+2]++
		}
	}
	for v := 2; v < len(a.first); v++ {
		a.first[v] += a.first[v-1]
	}
	a.to = make([]int32, total)
	for _, list := range edges {
		for _, e := range list {
			e = direction(e)
			a.to[a.first[e.from+1]] = e.to
			a.first[e.from+1]++ // when all are in, it is where the next vertex begins
		}
	}
	return a
}

// What a walk for cycles has made of a vertex.
const (
	onPath   = 1
	finished = 2
)

// cycle walks the edges depth first from the starts in their order, and gives the fibers
// of the first cycle that closes.
func (g *graph) cycle(edges adjacency, starts []int32, mark []uint8) []fiber.ID {
	var path, next []int32
	enter := func(v int32) {
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
			w := out[next[top]]
			next[top]++
			switch mark[w] {
			case 0:
				enter(w)
			case onPath:
				return g.fibersBehind(path, w)
			}
		}
	}
	return nil
}

// fibersBehind are the fibers on the path from the vertex on.
func (g *graph) fibersBehind(path []int32, from int32) (ids []fiber.ID) {
	for i := len(path) - 1; ; i-- {
		if v := path[i]; v < g.anyone() {
			ids = append(ids, g.fibers[v].ID)
		}
		if path[i] == from {
			break
		}
	}
	for i, j := 0, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}
