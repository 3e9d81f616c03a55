package top

import (
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/inspect"
	"github.com/selvage-dev/selvage/inspect/client"
)

// How much of one answer is shown at most. An inspector is not trusted, and the screen's goroutine has to stay ready for
// keys: what is beyond these is left out when the answer arrives.
const (
	graphEdges  = 2000
	graphGroups = 50   // of stuck fibers
	graphGroup  = 50   // fibers of one group
	setRows     = 1000 // islands, ports and waits, each
	portSenders = 32
	rowWaits    = 50   // objects in a row of the list
	textLines   = 5000 // of a page
)

// omitted collects what was left out of an answer, for people.
type omitted []string

// keep is the beginning of a part of an answer.
func keep[T any](o *omitted, all []T, most int, what string) []T {
	if more := len(all) - most; more > 0 {
		*o = append(*o, count(more)+" "+what)
		return slices.Clone(all[:most]) // the rest is free
	}
	return all
}

// String is one line; empty if nothing was left out.
func (o omitted) String() string {
	if len(o) == 0 {
		return ""
	}
	return "not shown: " + strings.Join(o, ", ")
}

// boundGraph shortens a graph. The cycle stays as it is: what is shown of it is a line for each fiber.
func boundGraph(g *inspect.Graph) (o omitted) {
	g.Nodes = keep(&o, g.Nodes, graphNodes, "fibers and objects")
	g.Edges = keep(&o, g.Edges, graphEdges, "edges")
	g.Stuck = keep(&o, g.Stuck, graphGroups, "groups of stuck fibers")
	return o
}

// boundSet shortens a report of islands.
func boundSet(s *inspect.SetReport) (o omitted) {
	s.Parts = keep(&o, s.Parts, setRows, "islands")
	s.Ports = keep(&o, s.Ports, setRows, "ports")
	s.Waits = keep(&o, s.Waits, setRows, "waits at ports")
	return o
}

// boundList shortens a list to what was asked for. It does not count the rest, which has no place on the screen.
func boundList(l *inspect.List) {
	l.Fibers = l.Fibers[:min(len(l.Fibers), inspect.MaxList)]
	for i := range l.Fibers {
		waits := &l.Fibers[i].Waits
		*waits = (*waits)[:min(len(*waits), rowWaits)]
	}
}

// brief is a text from outside for one line of any terminal.
func brief(text string) string { return client.Printable(clip(text, 500)) }
