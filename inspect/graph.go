package inspect

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

const (
	defaultNodes = 100
	maxNodes     = 500
)

// Graph is a part of the wait-for graph.
type Graph struct {
	Transitions uint64      `json:"transitions"`
	Nodes       []GraphNode `json:"nodes"`
	Edges       []GraphEdge `json:"edges"`
	Cycle       []string    `json:"cycle"`   // as in a Report
	Stuck       [][]string  `json:"stuck"`   // as in a Report
	Blocked     int         `json:"blocked"` // fibers that wait on an object or for a native call
	// Partial says that there is more that is connected to these nodes, or that is blocked.
	Partial bool `json:"partial"`
}

// GraphNode is a fiber or an object.
type GraphNode struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // fiber, call or object
	Name    string `json:"name,omitempty"`
	State   string `json:"state,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Site    string `json:"site,omitempty"`
	Waiters int    `json:"waiters,omitempty"` // of an object: all of them
	Cycle   bool   `json:"cycle,omitempty"`
	Stuck   bool   `json:"stuck,omitempty"`
}

// GraphEdge leads from a fiber to what it waits for, and from an object to the fibers that can end the wait.
type GraphEdge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Kind  string `json:"kind"` // waits, held or call
	Cycle bool   `json:"cycle,omitempty"`
}

func (h *Handler) serveGraph(w http.ResponseWriter, r *http.Request) {
	limit, err := number(r.URL.Query(), "limit", defaultNodes, maxNodes)
	center := r.URL.Query().Get("around")
	var id fiber.ID
	if err == nil && center != "" {
		id, err = fiber.ParseID(center)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	v, err := h.views.get(true)
	if err != nil {
		unavailable(w, err)
		return
	}
	g, err := h.graph(v, limit, id)
	h.views.release(v)
	if err != nil {
		unavailable(w, err)
		return
	}
	reply(w, http.StatusOK, g)
}

// graph is what is connected to one fiber, or with the zero ID the whole as far as it fits. A fiber that has ended
// is connected to nothing.
func (h *Handler) graph(v *view, limit int, around fiber.ID) (*Graph, error) {
	p := v.picker(limit)
	if around == 0 {
		p.seeds()
	}
	p.addFiber(around)
	p.spread()
	return h.draw(p)
}

// draw makes the graph of the nodes that were picked. The names are read by the owner.
func (h *Handler) draw(p *picker) (*Graph, error) {
	v := p.view
	g := &Graph{Transitions: v.snapshot.Transitions, Nodes: []GraphNode{}, Edges: []GraphEdge{},
		Cycle: ids(v.waits.cycle), Stuck: [][]string{}, Partial: p.full}
	var stuck []fiber.ID
	for _, group := range v.waits.stuck {
		g.Stuck = append(g.Stuck, ids(group))
		stuck = append(stuck, group...)
	}
	for _, f := range v.snapshot.Fibers {
		if f.Calls || len(v.snapshot.On(f)) > 0 {
			g.Blocked++
		}
	}
	slices.Sort(stuck)
	err := h.owner.do(func() {
		for _, n := range p.order {
			g.Nodes = append(g.Nodes, h.node(p, n, stuck))
		}
	})
	for _, n := range p.order {
		g.Edges = append(g.Edges, p.edges(n)...)
	}
	return g, err
}

// node is the owner's.
func (h *Handler) node(p *picker, n node, stuck []fiber.ID) GraphNode {
	s, of := &p.view.snapshot, h.views.of
	if n.object {
		return GraphNode{ID: p.name(n), Kind: "object", Name: s.Sources[n.at].Name(), Waiters: len(p.links.waiters[n.at])}
	}
	f := s.Fibers[n.at]
	_, isStuck := slices.BinarySearch(stuck, f.ID)
	drawn := GraphNode{ID: p.name(n), Kind: "fiber", Name: of.Name(f.ID), State: f.State.String(), Reason: reasonOf(f), Site: of.Site(f.ID),
		Cycle: p.cycle[f.ID] != 0, Stuck: isStuck}
	if f.ID.IsTrampoline() {
		drawn.Kind = "call"
	}
	return drawn
}

// name is the ID of a node. That of an object is good for one snapshot.
func (p *picker) name(n node) string {
	if n.object {
		return fmt.Sprintf("o%d", n.at)
	}
	return p.view.snapshot.Fibers[n.at].ID.String()
}

// edges are those from one node to others that were picked.
func (p *picker) edges(n node) (all []GraphEdge) {
	s := &p.view.snapshot
	add := func(kind string, to node, onCycle bool) {
		if p.picked[to] {
			all = append(all, GraphEdge{p.name(n), p.name(to), kind, onCycle})
		}
	}
	if n.object {
		for _, id := range s.Holders(s.Sources[n.at]) {
			if at := p.view.index(p.links, id); at >= 0 {
				add("held", node{at: int32(at)}, p.holds(n.at, id))
			}
		}
		return all
	}
	f := s.Fibers[n.at]
	if f.Calls {
		add("call", node{at: n.at + 1}, p.cycle[f.ID] == s.Fibers[n.at+1].ID)
	}
	for _, source := range s.On(f) {
		next := p.cycle[f.ID]
		add("waits", node{true, int32(source)}, next != 0 && slices.Contains(s.Holders(s.Sources[source]), next))
	}
	return all
}

// holds tells whether the edge from an object to a holder is on the cycle: a fiber of the cycle waits on the object, and the
// holder comes after it.
func (p *picker) holds(source int32, holder fiber.ID) bool {
	return slices.ContainsFunc(p.links.waiters[source], func(at int32) bool {
		return p.cycle[p.view.snapshot.Fibers[at].ID] == holder
	})
}
