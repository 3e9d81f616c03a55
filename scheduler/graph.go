package scheduler

import "github.com/selvage-dev/selvage/fiber"

// graph is the wait-for graph while a report is made. Its vertices are the blocked
// fibers, in the order of the report, then one that stands for whoever lives, then the
// sources they wait on. An edge leads from a vertex to what could end its wait: from a
// fiber to its sources or its callee, from a source to its holders.
type graph struct {
	core   *Core
	fibers []BlockedFiber
	awake  map[fiber.ID]string
	hope   []bool // by vertex: it may go on

	regulars, calls []int32 // by slot: the vertex of a blocked fiber, plus 1
	at              []int32 // by source slot-1: its vertex, 0 for none yet
	on              []watched

	edges []arc
	bars  []arc // from a source to those who, giving up, would let others on
}

type arc struct{ from, to int32 }

func (e arc) forth() arc { return e }
func (e arc) back() arc  { return arc{e.to, e.from} }

// watched is a source that somebody waits on.
type watched struct {
	name    []string // one
	holders []fiber.ID
}

func (c *Core) newGraph() *graph {
	g := &graph{core: c, awake: map[fiber.ID]string{}}
	g.regulars = make([]int32, c.slots.used)
	g.calls = make([]int32, len(c.tramps.all))
	g.at = make([]int32, len(c.reg.sources.entries))
	g.fibers = make([]BlockedFiber, 0, c.Inspect().Blocked())
	g.hope = make([]bool, 0, c.Inspect().Blocked()+1+len(c.reg.sources.entries))
	g.on = make([]watched, 0, len(c.reg.sources.entries))
	g.edges = make([]arc, 0, c.Inspect().Blocked()+2*len(c.reg.sources.entries))
	for slot := range c.slots.used {
		if h := c.slots.at(slot); h.state() == fiber.Blocked || c.isPinned(h) {
			g.addChain(h, slot)
		}
	}
	g.hope = append(g.hope, g.someoneElse())
	for v := range g.fibers {
		g.link(int32(v))
	}
	return g
}

// addChain makes the vertices of a root that is blocked, or pinned under a pump, and of
// the native calls above it. A call that a pump will take up again has hope.
func (g *graph) addChain(h *header, slot uint32) {
	c := g.core
	s := c.reg.ext(h)
	dies := s != nil && s.grace // its grace period will end, and with it its wait
	g.addFiber(h, fiber.NewRegularID(slot, h.gen).ID(), dies)
	g.regulars[slot] = int32(len(g.fibers))
	if !h.has(chained) {
		return
	}
	var members []uint32
	for at := s.top; at != 0; at = c.tramps.all[at-1].caller {
		members = append(members, at-1)
	}
	for i := len(members) - 1; i >= 0; i-- {
		slot := members[i]
		callee := c.tramps.id(slot).ID()
		g.fibers[len(g.fibers)-1].Callee = callee
		g.addFiber(&c.tramps.all[slot].header, callee, dies)
		g.calls[slot] = int32(len(g.fibers))
	}
	if top := len(g.fibers) - 1; c.tramps.all[members[0]].state() == fiber.Running {
		g.fibers[top].Pinned, g.fibers[top].Reason, g.hope[top] = true, fiber.Reason{}, true
	}
}

// addFiber makes the vertex of a fiber. It has hope of its own if its wait ends without
// any other fiber.
func (g *graph) addFiber(h *header, id fiber.ID, dies bool) {
	n := BlockedFiber{ID: id, Name: g.core.Inspect().Name(id), Reason: fiber.OnQueue()} // of who runs, for its callee
	if h.state() == fiber.Blocked {
		n.Reason = g.core.reasonOf(h)
	}
	if reg, ok := id.Regular(); ok && g.core.cfg.Site != nil {
		n.Site = g.core.cfg.Site(reg)
	}
	g.fibers = append(g.fibers, n)
	g.hope = append(g.hope, dies || n.Reason.Kind != fiber.Queue || n.Reason.Deadline != fiber.Never || n.Reason.External)
}

// anyone is the vertex of whoever lives.
func (g *graph) anyone() int32 { return int32(len(g.fibers)) }

// someoneElse tells whether anything at all may still happen: a fiber is not blocked or
// has hope of its own, or something may come from outside.
func (g *graph) someoneElse() bool {
	c := g.core
	if c.Inspect().Live() > c.Inspect().Blocked()+len(c.pins) || c.inbox.hasSenders() || c.Ops().pending() || c.timers.alarms.awaited(&c.reg.sources) || c.Steps().sourcePending() || c.departed.awaited(&c.reg.sources) || c.inbox.pending() {
		return true
	}
	for _, hope := range g.hope {
		if hope {
			return true
		}
	}
	return false
}

// link makes the edges of a fiber, and of the sources that it is the first to wait on.
func (g *graph) link(v int32) {
	n := &g.fibers[v]
	if n.Callee != 0 {
		g.edges = append(g.edges, arc{v, g.vertexOf(n.Callee)})
		return
	}
	if n.Pinned {
		return
	}
	var buf [8]uint32
	slots := unique(g.core.reg.slotsOf(g.core.find(n.ID), buf[:0]))
	if len(slots) == 0 {
		g.edges = append(g.edges, arc{v, g.anyone()}) // who has its ticket, or wakes by ID
	}
	for i, slot := range slots {
		s := g.source(slot)
		w := &g.on[s-g.anyone()-1]
		g.edges = append(g.edges, arc{v, s})
		if b, ok := g.core.reg.sources.at(slot).source.(fiber.Barrier); ok && b.HoldsBack() {
			g.bars = append(g.bars, arc{s, v})
		}
		if i == 0 { // the usual case: the source's own lists, in no memory of their own
			n.On, n.Holders = w.name[:1:1], w.holders[:len(w.holders):len(w.holders)]
			continue
		}
		n.On, n.Holders = append(n.On, w.name...), append(n.Holders, w.holders...)
	}
}

// source is the vertex of a source, made when the first that waits on it is linked.
func (g *graph) source(slot uint32) int32 {
	if v := g.at[slot-1]; v != 0 {
		return v
	}
	v := int32(len(g.hope))
	g.at[slot-1] = v
	g.hope = append(g.hope, g.core.timers.alarms.isSet(slot))
	src := g.core.reg.sources.at(slot).source
	w := watched{name: []string{nameOf(src)}}
	if d, ok := src.(fiber.Described); ok {
		w.holders = d.Holders(nil)
	}
	g.on = append(g.on, w)
	for _, id := range w.holders {
		g.held(v, id)
	}
	if len(w.holders) == 0 {
		g.edges = append(g.edges, arc{v, g.anyone()})
	}
	return v
}

// held notes who could end the waits on a source: a fiber that is blocked itself, one
// that is not or has moved out, or, behind an ID that is no living fiber's, anyone.
func (g *graph) held(source int32, id fiber.ID) {
	switch v := g.vertexOf(id); {
	case g.core.departed.has(id):
		g.hope[source] = true
	case g.core.find(id) == nil:
		g.edges = append(g.edges, arc{source, g.anyone()})
	case v < 0:
		g.hope[source] = true
		g.awake[id] = g.core.Inspect().Name(id)
	default:
		g.edges = append(g.edges, arc{source, v})
	}
}

// vertexOf is that of a living fiber of either pool; below 0 if it has none, because it
// neither is blocked nor lies under a pump.
func (g *graph) vertexOf(id fiber.ID) int32 {
	of := g.regulars
	if id.IsTrampoline() {
		of = g.calls
	}
	if id.Index() >= uint32(len(of)) {
		return -1
	}
	return of[id.Index()] - 1
}

// unique removes repetitions from a few slots; many keep their order too.
func unique(slots []uint32) []uint32 {
	if len(slots) < 2 {
		return slots
	}
	seen := make(map[uint32]bool, len(slots))
	kept := slots[:0]
	for _, s := range slots {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

func (g *graph) report() *Report {
	edges := g.adjacent(arc.forth, g.edges)
	return &Report{Fibers: g.fibers, Cycle: g.cycle(edges, g.all(), make([]uint8, len(g.hope))), awake: g.awake}
}

// all are the vertices of the fibers.
func (g *graph) all() []int32 {
	vs := make([]int32, len(g.fibers))
	for v := range vs {
		vs[v] = int32(v)
	}
	return vs
}
