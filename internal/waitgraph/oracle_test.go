package waitgraph

import "slices"

// oracle answers the same questions as Graph by definition, in cubic time.
type oracle struct {
	waiters     int
	canProgress []bool
	edges       map[[2]Vertex]bool
	barriers    map[[2]Vertex]bool
}

// stuck are the vertices that cannot progress: the greatest set whose edges stay inside.
func (o *oracle) stuck() []bool {
	stuck := make([]bool, len(o.canProgress))
	for v, can := range o.canProgress {
		stuck[v] = !can
	}
	for changed := true; changed; {
		changed = false
		for _, set := range []map[[2]Vertex]bool{o.edges, o.barriers} {
			for e := range set {
				if stuck[e[0]] && !stuck[e[1]] {
					stuck[e[0]], changed = false, true
				}
			}
		}
	}
	return stuck
}

// groups are the stuck waiters, connected by edges of stuck vertices in either direction.
func (o *oracle) groups() (groups [][]Vertex) {
	stuck := o.stuck()
	label := make([]int, len(stuck))
	for v := range label {
		label[v] = v
	}
	all := false
	for changed := true; changed; {
		changed = false
		for e := range o.edges {
			if !stuck[e[0]] {
				continue
			}
			all = all || int(e[1]) == o.waiters
			least := min(label[e[0]], label[e[1]])
			changed = changed || label[e[0]] != label[e[1]]
			label[e[0]], label[e[1]] = least, least
		}
	}
	at := map[int]int{}
	for v := range o.waiters {
		if !stuck[v] {
			continue
		}
		l := label[v]
		if all {
			l = o.waiters
		}
		if _, known := at[l]; !known {
			at[l] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[l]] = append(groups[at[l]], Vertex(v))
	}
	return groups
}

// follows tells whether one waiter waits for the other, directly or through one object.
func (o *oracle) follows(from, to Vertex) bool {
	if o.edges[[2]Vertex{from, to}] {
		return true
	}
	for v := Vertex(o.waiters) + 1; int(v) < len(o.canProgress); v++ {
		if o.edges[[2]Vertex{from, v}] && o.edges[[2]Vertex{v, to}] {
			return true
		}
	}
	return false
}

// isCycle tells whether the waiters are all different and each waits for the next.
func (o *oracle) isCycle(cycle []Vertex) bool {
	for i, v := range cycle {
		if int(v) >= o.waiters || slices.Contains(cycle[:i], v) || !o.follows(v, cycle[(i+1)%len(cycle)]) {
			return false
		}
	}
	return len(cycle) > 0
}

// hasCycle tells whether any of the waiters can reach itself.
func (o *oracle) hasCycle(among []Vertex) bool {
	reach := make([][]bool, o.waiters)
	for v := range reach {
		reach[v] = make([]bool, o.waiters)
		for w := range reach {
			reach[v][w] = o.follows(Vertex(v), Vertex(w))
		}
	}
	for k := range reach {
		for v := range reach {
			for w := range reach {
				reach[v][w] = reach[v][w] || reach[v][k] && reach[k][w]
			}
		}
	}
	return slices.ContainsFunc(among, func(v Vertex) bool { return reach[v][v] })
}
