package top

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/inspect"
)

// many is how much a hostile inspector sends of everything.
const many = 100_000

func ids(format string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}

// hugeGraph has as many fibers, edges from each part to others, groups and members of one.
func hugeGraph() *inspect.Graph {
	g := &inspect.Graph{Blocked: many, Cycle: ids("f%d.1", many), Stuck: make([][]string, many)}
	for i := range g.Stuck {
		g.Stuck[i] = g.Cycle
	}
	for i, id := range g.Cycle {
		g.Nodes = append(g.Nodes, inspect.GraphNode{ID: id, Kind: "fiber"})
		if i%2 == 1 {
			g.Nodes[i] = inspect.GraphNode{ID: id, Kind: "object", Name: "mutex"}
		}
		g.Edges = append(g.Edges, inspect.GraphEdge{From: g.Cycle[i%2], To: g.Cycle[(i+1)%2]}) // the first fiber, and its object
	}
	return g
}

func hugeSet() *inspect.SetReport {
	s := &inspect.SetReport{Version: 1}
	for i := range many {
		s.Parts = append(s.Parts, inspect.Part{Name: fmt.Sprintf("island %d", i)})
		s.Ports = append(s.Ports, inspect.Port{Name: "port", Part: i})
		s.Waits = append(s.Waits, inspect.PortWait{Part: i, Port: i % 3, For: "room"})
		s.Ports[0].Senders = append(s.Ports[0].Senders, inspect.PortSender{Part: &s.Waits[i].Part})
	}
	return s
}

// allocated is how many bytes a call allocates: work that does not depend on the machine's speed.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestAHugeGraphIsShortened(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.press("g")
	w.m.got(got{want: w.newest(), graph: hugeGraph()})
	g := w.m.graph.of
	require.Equal(t, []int{graphNodes, graphEdges, graphGroups}, []int{len(g.Nodes), len(g.Edges), len(g.Stuck)})
	var text string
	require.Less(t, allocated(func() { text = strings.Join(w.m.lines(), "\n") }), uint64(8<<20))
	require.LessOrEqual(t, len(w.m.lines()), textLines+1)
	require.Contains(t, text, "not shown: 99,800 fibers and objects, 98,000 edges, 99,950 groups of stuck fibers")
	require.Contains(t, text, "  … and 99,800 more", "of the cycle")
	require.Contains(t, text, "99,950 more\n", "of a group")
	require.Contains(t, text, "-> 980 more\n", "holders of an object")
	require.Contains(t, text, "more lines")
}

func TestHugeIslandsAreShortened(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.press("i")
	w.m.got(got{want: w.newest(), set: hugeSet()})
	s := w.m.islands.of
	require.Equal(t, []int{setRows, setRows, setRows}, []int{len(s.Parts), len(s.Ports), len(s.Waits)})
	var lines []string
	require.Less(t, allocated(func() { lines = w.m.lines() }), uint64(8<<20))
	require.Len(t, lines, 3*setRows+4, "each island, port and wait has a line")
	require.Equal(t, "not shown: 99,000 islands, 99,000 ports, 99,000 waits at ports", lines[0])
	require.Contains(t, route(s, &s.Ports[0]), "99,968 more senders")
}

func TestALongPageOfAFiberIsShortened(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.answer(5)
	w.press("enter")
	d := &inspect.Detail{Row: row(0), Waiters: make([]inspect.Waiter, many)}
	d.Site = strings.Repeat("x", 1<<20)
	w.send(got{want: w.newest(), fiber: d})
	lines := w.m.lines()
	require.Len(t, lines, textLines+1)
	require.Equal(t, "… and 95,003 more lines", lines[textLines])
	require.Less(t, len(lines[0]), 2000, "no longer than a terminal can show")
}

func TestRowsWithLongTextsCostNoMoreThanTheirWidth(t *testing.T) {
	w := newTerminal(t, 80, 24)
	long := strings.Repeat("\x01", 1<<20)
	l := &inspect.List{Matched: 1, Total: 1, Fibers: []inspect.Row{{ID: long, Site: long, State: long, Waits: make([]string, 10*many)}}}
	w.send(got{want: w.newest(), list: l})
	w.m.summary.Verdict = long
	require.Less(t, allocated(func() { w.m.frame() }), uint64(1<<20))
	w.press("enter")
	require.Less(t, allocated(func() { w.m.frame() }), uint64(1<<20))
}

func TestALongErrorIsShortened(t *testing.T) {
	w := newTerminal(t, 80, 24)
	w.send(got{want: w.newest(), err: fmt.Errorf("%s", strings.Repeat("x", 1<<20))})
	w.send(lost(strings.Repeat("x", 1<<20)))
	require.Less(t, len(w.m.failed)+len(w.m.connection.lost), 20_000)
}

func TestLinesAreMadeOnceForEachAnswerAndWidth(t *testing.T) {
	for key, a := range map[string]got{"g": {graph: deadlock()}, "i": {set: threeIslands()}, "enter": {fiber: alice()}} {
		w := newTerminal(t, 80, 12)
		w.answer(5)
		w.press(key)
		a.want = w.newest()
		w.send(a)
		first := &w.m.lines()[0]
		w.m.frame()
		w.press("down", "end", "home")
		w.m.frame()
		require.Same(t, first, &w.m.lines()[0], key)
		w.send(a)
		require.NotSame(t, first, &w.m.lines()[0], "another answer")
		first = &w.m.lines()[0]
		w.m.width = 100
		require.NotSame(t, first, &w.m.lines()[0], "another width")
	}
}

func TestAPageThatShrinksIsNotBlank(t *testing.T) {
	w := newTerminal(t, 80, 12)
	w.answer(5)
	w.press("enter")
	w.send(got{want: w.newest(), fiber: alice()})
	w.press("end")
	require.Positive(t, w.m.fiber.first)
	w.send(got{want: w.newest(), fiber: &inspect.Detail{Row: inspect.Row{Name: "alice", State: "dead"}}})
	require.Zero(t, w.m.fiber.first)
	require.Contains(t, w.m.frame(), "alice  dead")
}
