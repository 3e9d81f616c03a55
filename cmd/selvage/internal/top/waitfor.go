package top

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/selvage-dev/selvage/inspect"
)

// graphLines is the wait-for graph as text: the cycle of a deadlock, the fibers that only wake each other, and then each
// fiber with what it waits on, and the fibers that can end that.
func (m *model) graphLines() []string {
	g := m.graph.of
	if g == nil {
		return []string{"…"}
	}
	w := walk{graph: g, nodes: map[string]*inspect.GraphNode{}}
	for i := range g.Nodes {
		w.nodes[g.Nodes[i].ID] = &g.Nodes[i]
	}
	var t text
	w.cycle(&t, m.paint)
	for _, group := range g.Stuck {
		t.heading(m.paint, "Stuck: only each other could wake these")
		t.add(1, "%s", strings.Join(w.named(group), ", "))
	}
	w.waits(&t, m.paint, m.width)
	if len(t.lines) > 0 && t.lines[0] == "" {
		return t.lines[1:]
	}
	return t.lines
}

// walk reads one graph.
type walk struct {
	graph *inspect.Graph
	nodes map[string]*inspect.GraphNode
}

// name is a fiber or an object for people.
func (w walk) name(id string) string {
	n := w.nodes[id]
	switch {
	case n == nil || n.Kind != "object" && n.Name == "":
		return id
	case n.Kind == "object":
		return n.Name
	}
	return id + " " + n.Name
}

// chain is one line, or if that does not fit, a line for each part.
func (w walk) chain(t *text, sign rune, parts []string, width int) {
	line := strings.Join(parts, " -> ")
	if ansi.StringWidth(line)+4 <= width {
		t.add(1, "%c %s", sign, line)
		return
	}
	t.add(1, "%c %s", sign, parts[0])
	for _, part := range parts[1:] {
		t.add(3, "-> %s", part)
	}
}

func (w walk) named(ids []string) []string {
	all := []string{}
	for _, id := range ids[:min(len(ids), graphNodes)] {
		all = append(all, w.name(id))
	}
	if more := len(ids) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("%s more", count(more)))
	}
	return all
}

// cycle is the deadlock, if there is one.
func (w walk) cycle(t *text, p paint) {
	if len(w.graph.Cycle) == 0 {
		return
	}
	t.heading(p, "Deadlock: each of these waits for the next, and the last for the first")
	for i, id := range w.graph.Cycle[:min(len(w.graph.Cycle), graphNodes)] {
		site := ""
		if n := w.nodes[id]; n != nil && n.Site != "" {
			site = " at " + n.Site
		}
		next := w.graph.Cycle[(i+1)%len(w.graph.Cycle)]
		t.add(1, "* %s%s waits for %s", w.name(id), site, w.name(next))
	}
}

// waits has a line for each thing that each fiber waits on. A star marks what is on the cycle.
func (w walk) waits(t *text, p paint, width int) {
	t.heading(p, fmt.Sprintf("%s fibers wait", count(w.graph.Blocked)))
	if w.graph.Partial {
		t.add(1, "there is more; a fiber's own page has what is around it")
	}
	for _, n := range w.graph.Nodes {
		if n.Kind == "object" {
			continue
		}
		for _, e := range w.from(n.ID) {
			sign := ' '
			if e.Cycle {
				sign = '*'
			}
			w.chain(t, sign, append([]string{w.name(n.ID), w.name(e.To)}, w.holders(e)...), width)
		}
	}
}

func (w walk) from(id string) []inspect.GraphEdge {
	return slices.DeleteFunc(slices.Clone(w.graph.Edges), func(e inspect.GraphEdge) bool { return e.From != id })
}

// holders are the fibers that can end a wait.
func (w walk) holders(e inspect.GraphEdge) (all []string) {
	if n := w.nodes[e.To]; n == nil || n.Kind != "object" {
		return nil
	}
	for _, held := range w.from(e.To) {
		all = append(all, w.name(held.To))
	}
	return all
}
