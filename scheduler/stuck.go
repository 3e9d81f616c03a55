package scheduler

// spreadHope gives hope to whoever waits for something that has hope. Those without it
// at the end are the largest set of vertices whose every way to go on leads into the set.
func (g *graph) spreadHope() {
	waiters := g.adjacent(arc.back, g.edges, g.bars)
	var work []int32
	for v, hope := range g.hope {
		if hope {
			work = append(work, int32(v))
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range waiters.of(v) {
			if !g.hope[w] {
				g.hope[w] = true
				work = append(work, w)
			}
		}
	}
}

// stuck are the fibers without hope, in groups that hang together.
func (g *graph) stuck() []Report {
	g.spreadHope()
	groups := g.components()
	if len(groups) == 0 {
		return nil
	}
	edges, mark := g.adjacent(arc.forth, g.edges), make([]uint8, len(g.hope))
	reports := make([]Report, len(groups))
	for i, members := range groups {
		r := &reports[i]
		r.Fibers = make([]BlockedFiber, 0, len(members))
		for _, v := range members {
			r.Fibers = append(r.Fibers, g.fibers[v])
		}
		r.Cycle = g.cycle(edges, members, mark)
	}
	return reports
}

// components are the vertices of the fibers without hope, those together that an edge
// joins. Who waits for anyone hangs together with everybody.
func (g *graph) components() (groups [][]int32) {
	sets := newSets(len(g.hope))
	anyone, all := g.anyone(), false
	for _, e := range g.edges {
		if !g.hope[e.from] {
			sets.join(e.from, e.to)
			all = all || e.to == anyone
		}
	}
	group := map[int32]int{}
	for v := range anyone {
		if g.hope[v] {
			continue
		}
		set := sets.find(v)
		if all {
			set = anyone
		}
		i, ok := group[set]
		if !ok {
			i = len(groups)
			group[set] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], v)
	}
	return groups
}

// sets are disjoint sets of vertices: each points towards the one that stands for its set.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for v := range s {
		s[v] = int32(v)
	}
	return s
}

func (s sets) find(v int32) int32 {
	for s[v] != v {
		s[v] = s[s[v]]
		v = s[v]
	}
	return v
}

func (s sets) join(a, b int32) { s[s.find(a)] = s.find(b) }
