package top

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/selvage-dev/selvage/inspect"
)

// waitHolders is how many of the fibers that can end one wait are named.
const waitHolders = 20

// graphLines is the wait-for graph as text: the cycle of a deadlock, the fibers that only wake each other, and then each
// fiber with what it waits on, and the fibers that can end that.
func (m *model) graphLines() []string {
	g := m.graph.of
	if g == nil {
		return []string{"…"}
	}
	w, t := newWalk(g, m.width), text{width: m.width}
	w.cycle(&t, m.paint)
	for _, group := range g.Stuck {
		t.heading(m.paint, "Stuck: only each other could wake these")
		t.add(1, "%s", strings.Join(w.named(group, graphGroup), ", "))
	}
	w.waits(&t, m.paint, m.graph.omitted)
	lines := t.all()
	if len(lines) > 0 && lines[0] == "" {
		return lines[1:]
	}
	return lines
}

// walk reads one graph.
type walk struct {
	graph *inspect.Graph
	nodes map[string]*inspect.GraphNode
	from  map[string][]inspect.GraphEdge // the edges from each node
	width int
}

func newWalk(g *inspect.Graph, width int) walk {
	w := walk{graph: g, nodes: map[string]*inspect.GraphNode{}, from: map[string][]inspect.GraphEdge{}, width: width}
	for i := range g.Nodes {
		w.nodes[g.Nodes[i].ID] = &g.Nodes[i]
	}
	for _, e := range g.Edges {
		w.from[e.From] = append(w.from[e.From], e)
	}
	return w
}

// name is a fiber or an object for people.
func (w walk) name(id string) string {
	n := w.nodes[id]
	switch {
	case n == nil || n.Kind != "object" && n.Name == "":
		return clip(id, w.width)
	case n.Kind == "object":
		return clip(n.Name, w.width)
	}
	return clip(id, w.width) + " " + clip(n.Name, w.width)
}

// chain is one line, or if that does not fit, a line for each part.
func (w walk) chain(t *text, sign rune, parts []string) {
	line := strings.Join(parts, " -> ")
	if clip(line, w.width) == line && ansi.StringWidth(line)+4 <= w.width {
		t.add(1, "%c %s", sign, line)
		return
	}
	t.add(1, "%c %s", sign, parts[0])
	for _, part := range parts[1:] {
		t.add(3, "-> %s", part)
	}
}

// named are the names of the first fibers of a list, and how many more there are.
func (w walk) named(ids []string, most int) (all []string) {
	for _, id := range ids[:min(len(ids), most)] {
		all = append(all, w.name(id))
	}
	return more(all, len(ids))
}

// more adds how many of a number are not in a list.
func more(all []string, of int) []string {
	if rest := of - len(all); rest > 0 {
		return append(all, count(rest)+" more")
	}
	return all
}

// cycle is the deadlock, if there is one.
func (w walk) cycle(t *text, p paint) {
	all := w.graph.Cycle
	if len(all) == 0 {
		return
	}
	t.heading(p, "Deadlock: each of these waits for the next, and the last for the first")
	shown := min(len(all), graphNodes)
	for i, id := range all[:shown] {
		site := ""
		if n := w.nodes[id]; n != nil && n.Site != "" {
			site = " at " + n.Site
		}
		t.add(1, "* %s%s waits for %s", w.name(id), site, w.name(all[(i+1)%len(all)]))
	}
	if len(all) > shown {
		t.add(1, "… and %s more", count(len(all)-shown))
	}
}

// waits has a line for each thing that each fiber waits on. A star marks what is on the cycle.
func (w walk) waits(t *text, p paint, o omitted) {
	t.heading(p, fmt.Sprintf("%s fibers wait", count(w.graph.Blocked)))
	if w.graph.Partial {
		t.add(1, "there is more; a fiber's own page has what is around it")
	}
	if len(o) > 0 {
		t.add(1, "%v", o)
	}
	for _, n := range w.graph.Nodes {
		if n.Kind == "object" {
			continue
		}
		for _, e := range w.from[n.ID] {
			sign := ' '
			if e.Cycle {
				sign = '*'
			}
			w.chain(t, sign, append([]string{w.name(n.ID), w.name(e.To)}, w.holders(e)...))
		}
	}
}

// holders are the fibers that can end a wait.
func (w walk) holders(e inspect.GraphEdge) (all []string) {
	if n := w.nodes[e.To]; n == nil || n.Kind != "object" {
		return nil
	}
	held := w.from[e.To]
	for _, h := range held[:min(len(held), waitHolders)] {
		all = append(all, w.name(h.To))
	}
	return more(all, len(held))
}
