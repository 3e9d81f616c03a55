package waitgraph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// random makes a graph and its oracle from the same random choices.
func random(rng *rand.Rand) (*Graph, *oracle) {
	waiters, objects := rng.IntN(7), rng.IntN(5)
	g := New(waiters, objects)
	o := &oracle{waiters: waiters, edges: map[[2]Vertex]bool{}, barriers: map[[2]Vertex]bool{}}
	rarely := func() bool { return rng.IntN(8) == 0 }
	for range waiters {
		can := rarely()
		o.canProgress = append(o.canProgress, can)
		g.AddWaiter(can)
	}
	can := rng.IntN(2) == 0
	g.AddEnvironment(can)
	o.canProgress = append(o.canProgress, can || slices.Contains(o.canProgress, true))
	for range objects {
		can := rarely()
		o.canProgress = append(o.canProgress, can)
		g.AddObject(can)
	}
	edge := func(from, to Vertex) {
		g.AddEdge(from, to)
		o.edges[[2]Vertex{from, to}] = true
	}
	for v := range Vertex(waiters) {
		for range rng.IntN(3) { // any vertex: a callee, the environment, an object
			edge(v, Vertex(rng.IntN(waiters+1+objects)))
		}
	}
	for v := Vertex(waiters) + 1; int(v) <= waiters+objects; v++ {
		for range rng.IntN(3) {
			edge(v, Vertex(rng.IntN(waiters+1)))
		}
		if waiters > 0 && rarely() {
			w := Vertex(rng.IntN(waiters))
			g.AddBarrier(v, w)
			o.barriers[[2]Vertex{v, w}] = true
		}
	}
	return g, o
}

func TestRandomGraphsAgreeWithTheDefinitions(t *testing.T) {
	cycles, groups, several := 0, 0, 0
	for seed := range uint64(20_000) {
		g, o := random(rand.New(rand.NewPCG(seed, 0)))
		all := make([]Vertex, g.Waiters())
		for v := range all {
			all[v] = Vertex(v)
		}
		cycle := g.Cycle()
		if len(cycle) > 0 {
			cycles++
		}
		if o.hasCycle(all) != (len(cycle) > 0) || len(cycle) > 0 && !o.isCycle(cycle) {
			t.Fatalf("seed %d: cycle %v in %v", seed, cycle, g.edges)
		}
		want := o.groups()
		got := g.Stuck()
		groups += len(got)
		if len(got) > 1 {
			several++
		}
		if !slices.EqualFunc(got, want, func(g Group, members []Vertex) bool { return slices.Equal(g.Members, members) }) {
			t.Fatalf("seed %d: stuck are %v, not %v, in %v", seed, got, want, g.edges)
		}
		for _, group := range got {
			if o.hasCycle(group.Members) != (len(group.Cycle) > 0) || len(group.Cycle) > 0 && !o.isCycle(group.Cycle) {
				t.Fatalf("seed %d: group %v in %v", seed, group, g.edges)
			}
		}
	}
	t.Logf("%d cycles, %d groups, %d graphs with several", cycles, groups, several)
	if cycles < 5000 || groups < 5000 || several < 500 {
		t.Fatal("the random graphs are too simple")
	}
}

// ring adds n waiters, each of which waits on an object that the next holds.
func ring(n int) *Graph {
	g := New(n, n)
	for range n {
		g.AddWaiter(false)
	}
	g.AddEnvironment(true)
	for v := range Vertex(n) {
		object := g.AddObject(false)
		g.AddEdge(v, object)
		g.AddEdge(object, (v+1)%Vertex(n))
	}
	return g
}

func TestACycleBeginsWithTheFirstWaiterOnIt(t *testing.T) {
	g := New(5, 0)
	for range 5 {
		g.AddWaiter(false)
	}
	g.AddEnvironment(true)
	for _, e := range [][2]Vertex{{0, 2}, {2, 1}, {1, 3}, {3, 2}, {4, 4}} {
		g.AddEdge(e[0], e[1])
	}
	if cycle := g.Cycle(); !slices.Equal(cycle, []Vertex{2, 1, 3}) {
		t.Fatalf("cycle %v", cycle)
	}
	groups := g.Stuck()
	if len(groups) != 2 || !slices.Equal(groups[0].Members, []Vertex{0, 1, 2, 3}) || !slices.Equal(groups[1].Cycle, []Vertex{4}) {
		t.Fatalf("groups %v", groups)
	}
}

func TestAnEmptyGraphHasNoCycleAndNoGroup(t *testing.T) {
	g := New(0, 0)
	g.AddEnvironment(false)
	if g.Cycle() != nil || g.Stuck() != nil || g.Waiters() != 0 || g.Environment() != 0 {
		t.Fatal(g)
	}
}

func TestAWaiterThatCanProgressFreesAllThatWaitForIt(t *testing.T) {
	g := ring(10)
	g.SetCanProgress(7)
	if groups := g.Stuck(); groups != nil {
		t.Fatal(groups)
	}
}

func TestABarrierThatGivesUpLetsOthersProgress(t *testing.T) {
	for _, gives := range []bool{false, true} {
		g := New(2, 1)
		g.AddWaiter(false)
		g.AddWaiter(gives)
		g.AddEnvironment(false)
		object := g.AddObject(false)
		g.AddEdge(0, object)
		g.AddEdge(1, object)
		g.AddEdge(object, 0)
		g.AddBarrier(object, 1)
		if groups := g.Stuck(); (len(groups) == 0) != gives {
			t.Fatalf("it gives up: %v, groups %v", gives, groups)
		}
	}
}

// A chain of a million waiters needs neither recursion nor more than linear time.
func TestARingOfAMillionWaiters(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	g := ring(n)
	if cycle := g.Cycle(); len(cycle) != n || cycle[0] != 0 || cycle[n-1] != Vertex(n-1) {
		t.Fatalf("a cycle of %d", len(cycle))
	}
	if groups := g.Stuck(); len(groups) != 1 || len(groups[0].Members) != n || len(groups[0].Cycle) != n {
		t.Fatalf("%d groups", len(groups))
	}
}
