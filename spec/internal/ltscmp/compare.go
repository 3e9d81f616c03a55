package main

import (
	"bytes"
	"fmt"

	"github.com/selvage-dev/selvage/spec/graph"
)

// examplesShown is how many differences are printed; the rest is counted.
const examplesShown = 5

// comparison checks off the edges of a graph.
type comparison[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer] struct {
	graph   *graph.Graph[M, S, A, R]
	all     []A
	actions map[string]int // text of an action → its place in all
	states  map[string]int // key of a state → its place in graph.States
	seen    []bool         // state × action

	lines, differences int
	examples           []string
	buf                []byte
}

func newComparison[M graph.Machine[S, A, R], S comparable, A, R fmt.Stringer](g *graph.Graph[M, S, A, R]) *comparison[M, S, A, R] {
	c := &comparison[M, S, A, R]{graph: g, all: g.Config.All(), actions: map[string]int{}}
	for i, a := range c.all {
		c.actions[a.String()] = i
	}
	c.states = make(map[string]int, len(g.States))
	for i := range g.States {
		c.states[string(g.Config.AppendKey(nil, &g.States[i]))] = i
	}
	c.seen = make([]bool, len(g.States)*len(c.all))
	return c
}

// line takes one line of the verifier, "E from|action answer|to"; false if it is not
// an edge but a line of its own.
func (c *comparison[M, S, A, R]) line(text []byte) bool {
	edge, ok := bytes.CutPrefix(text, []byte("E "))
	if !ok {
		return false
	}
	c.lines++
	if why := c.edge(edge); why != "" {
		c.differ("%s\n    %s", edge, why)
	}
	return true
}

// edge checks one edge off and says what is wrong with it, if anything is.
func (c *comparison[M, S, A, R]) edge(text []byte) string {
	from, rest, _ := bytes.Cut(text, []byte("|"))
	label, to, _ := bytes.Cut(rest, []byte("|"))
	space := bytes.LastIndexByte(label, ' ')
	if space < 0 {
		return "not an edge"
	}
	state, ok := c.states[string(from)]
	if !ok {
		return "from a state that package spec does not reach"
	}
	action, ok := c.actions[string(label[:space])]
	if !ok {
		return "by an action that package spec does not have"
	}
	return c.follow(state, action, label[space+1:], to)
}

func (c *comparison[M, S, A, R]) follow(state, action int, told, to []byte) string {
	next := c.graph.States[state]
	answer, enabled := c.graph.Config.Step(&next, c.all[action])
	c.buf = c.graph.Config.AppendKey(c.buf[:0], &next)
	place := state*len(c.all) + action
	switch {
	case !enabled:
		return "package spec refuses it"
	case answer.String() != string(told):
		return "package spec answers " + answer.String()
	case !bytes.Equal(c.buf, to):
		return "package spec goes to " + string(c.buf)
	case c.seen[place]:
		return "twice"
	}
	c.seen[place] = true
	return ""
}

// finish looks for the edges that no line had.
func (c *comparison[M, S, A, R]) finish() {
	for i := range c.graph.States {
		for j, a := range c.all {
			s := c.graph.States[i]
			if c.seen[i*len(c.all)+j] {
				continue
			}
			if _, enabled := c.graph.Config.Step(&s, a); enabled {
				c.differ("%s|%v\n    only package spec has it", c.graph.Config.AppendKey(nil, &c.graph.States[i]), a)
			}
		}
	}
}

func (c *comparison[M, S, A, R]) differ(format string, args ...any) {
	c.differences++
	if len(c.examples) < examplesShown {
		c.examples = append(c.examples, fmt.Sprintf(format, args...))
	}
}
