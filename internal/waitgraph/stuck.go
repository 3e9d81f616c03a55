package waitgraph

// Group is a partial deadlock: waiters that can only be woken by each other.
type Group struct {
	Members []Vertex // in the order they were added
	Cycle   []Vertex // one cycle among them; empty if there is none
}

// Stuck returns the waiters that nothing can wake any more, in groups connected by edges,
// ordered by their first members. It is exact for the graph given: a waiter is in no group
// as long as one vertex that could end its wait can progress.
func (g *Graph) Stuck() []Group {
	g.propagateProgress()
	members := g.components()
	if len(members) == 0 {
		return nil
	}
	edges, mark := g.adjacent(edge.forward, g.edges), make([]uint8, len(g.canProgress))
	groups := make([]Group, len(members))
	for i, m := range members {
		groups[i] = Group{Members: m, Cycle: g.cycleFrom(&edges, m, mark)}
	}
	return groups
}

// propagateProgress marks each vertex that waits, directly or not, for one that can
// progress. The unmarked rest is the largest set whose edges all lead into the set.
func (g *Graph) propagateProgress() {
	waiting := g.adjacent(edge.backward, g.edges, g.barriers)
	var work []Vertex
	for v, can := range g.canProgress {
		if can {
			work = append(work, Vertex(v))
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range waiting.of(v) {
			if !g.canProgress[w] {
				g.canProgress[w] = true
				work = append(work, w)
			}
		}
	}
}

// components groups the waiters that cannot progress and are connected by edges. If one
// of their edges leads to the environment, all are one group: each of them might have been
// the one to end that wait.
func (g *Graph) components() (groups [][]Vertex) {
	sets := newSets(len(g.canProgress))
	environment, single := g.Environment(), false
	for _, e := range g.edges {
		if !g.canProgress[e.from] {
			sets.join(e.from, e.to)
			single = single || e.to == environment
		}
	}
	groupOf := map[Vertex]int{}
	for v := range g.waiters {
		if g.canProgress[v] {
			continue
		}
		set := sets.find(v)
		if single {
			set = environment
		}
		i, known := groupOf[set]
		if !known {
			i = len(groups)
			groupOf[set] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// disjointSets is a union-find forest: each vertex points towards the root of its set.
type disjointSets []Vertex

func newSets(n int) disjointSets {
	s := make(disjointSets, n)
	for v := range s {
		s[v] = Vertex(v)
	}
	return s
}

func (s disjointSets) find(v Vertex) Vertex {
	for s[v] != v {
		s[v] = s[s[v]]
		v = s[v]
	}
	return v
}

func (s disjointSets) join(a, b Vertex) { s[s.find(a)] = s.find(b) }
