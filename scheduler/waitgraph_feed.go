package scheduler

import (
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/waitgraph"
)

// graphFeed describes the blocked fibers to package waitgraph and turns its answers into a
// Report. Waiters are the blocked fibers and native calls, objects are the sources they wait
// on. It lives for one report; the scheduler does not change meanwhile.
//
// The vertices are numbered as waitgraph wants them: first all waiters, then the environment
// (everything that is not blocked, as one vertex), then the objects in the order in which
// they are met.
type graphFeed struct {
	core   *Core
	graph  *waitgraph.Graph
	fibers []BlockedFiber      // by vertex
	awake  map[fiber.ID]string // names of holders that are not blocked

	regulars, calls []waitgraph.Vertex // by slot: the vertex plus 1; 0 is not blocked
	objects         []waitgraph.Vertex // by source slot-1; 0 is not added yet
	on              []waitedObject     // by vertex, from the one after the environment
}

// waitedObject is a source that a fiber waits on, asked once for its name and its holders.
// The entries of the fibers share both lists, without spare capacity, so that appending to
// one entry copies.
type waitedObject struct {
	name    []string // one
	holders []fiber.ID
}

// feedGraph adds all blocked fibers, or those of a Group and of those below it, in slot order, then what they wait on. All vertices of
// fibers exist before the first edge, because an edge may lead to a fiber in a later slot.
// O(slots + edges), in memory too.
func feedGraph(c *Core, in *Group) *graphFeed {
	blocked, sources := c.Inspect().Blocked(), len(c.reg.sources.entries)
	g := &graphFeed{
		core:     c,
		graph:    waitgraph.New(blocked, sources),
		fibers:   make([]BlockedFiber, 0, blocked),
		awake:    map[fiber.ID]string{},
		regulars: make([]waitgraph.Vertex, c.slots.used),
		calls:    make([]waitgraph.Vertex, len(c.tramps.all)),
		objects:  make([]waitgraph.Vertex, sources),
		on:       make([]waitedObject, 0, sources),
	}
	for slot := range c.slots.used {
		if h := c.slots.at(slot); (in == nil || c.groups.at(slot).within(in)) && (h.state() == fiber.Blocked || c.isPinned(h)) {
			g.addChain(h, slot)
		}
	}
	// After all waiters: the environment can progress if one of them can.
	if in == nil {
		g.graph.AddEnvironment(environmentCanProgress(c))
	} else {
		g.graph.AddEnvironment(g.groupCanProgress(in))
	}
	for v := range g.fibers {
		g.addEdges(waitgraph.Vertex(v))
	}
	return g
}

// addChain adds a root that is blocked, or pinned under a pump, and the native calls above
// it, from the root up: each is followed in g.fibers by its callee. A pinned call that is
// Running can progress: its pump returns to it.
func (g *graphFeed) addChain(h *header, slot uint32) {
	c := g.core
	s := c.reg.ext(h)
	expires := s != nil && s.grace // the end of its grace period ends its wait
	g.regulars[slot] = g.addFiber(h, fiber.NewRegularID(slot, h.gen).ID(), expires) + 1
	if !h.has(chained) {
		return
	}
	// The chain is linked from the top down, and a report reads from the root up.
	var members []uint32
	for at := s.top; at != 0; at = c.tramps.all[at-1].caller {
		members = append(members, at-1)
	}
	for i := len(members) - 1; i >= 0; i-- {
		slot := members[i]
		callee := c.tramps.id(slot).ID()
		g.fibers[len(g.fibers)-1].Callee = callee
		g.calls[slot] = g.addFiber(&c.tramps.all[slot].header, callee, expires) + 1
	}
	if c.tramps.all[members[0]].state() == fiber.Running {
		top := len(g.fibers) - 1
		g.fibers[top].Pinned, g.fibers[top].Reason = true, fiber.Reason{}
		g.graph.SetCanProgress(waitgraph.Vertex(top))
	}
}

// addFiber adds a fiber or native call. It can progress if its wait ends without any other
// fiber: at a deadline, with an operation, by the outside, or because its grace period ends.
func (g *graphFeed) addFiber(h *header, id fiber.ID, expires bool) waitgraph.Vertex {
	n := BlockedFiber{ID: id, Name: g.core.Inspect().Name(id), Reason: fiber.OnQueue()} // a Running caller waits for its callee
	if h.state() == fiber.Blocked {
		n.Reason = reasonOf(g.core, h)
	}
	if reg, ok := id.Regular(); ok && g.core.cfg.Site != nil {
		n.Site = g.core.cfg.Site(reg)
	}
	g.fibers = append(g.fibers, n)
	return g.graph.AddWaiter(expires || n.Reason.Kind != fiber.Queue || n.Reason.Deadline != fiber.Never || n.Reason.External)
}

// environmentCanProgress tells whether anything but the blocked fibers can still act: a fiber
// that is not blocked, or input from outside. Such a fiber may do anything, so it can end the
// wait on every source that does not name its holders.
func environmentCanProgress(c *Core) bool {
	return c.Inspect().Live() > c.Inspect().Blocked()+len(c.pins) || c.inbox.hasSenders() || c.Ops().pending() ||
		c.timers.alarms.awaited(&c.reg.sources) || c.Steps().sourcePending() || c.departed.awaited(&c.reg.sources) || c.inbox.pending()
}

// groupCanProgress is environmentCanProgress if no fiber of another Group wakes those of this one.
func (g *graphFeed) groupCanProgress(in *Group) bool {
	roots := 0
	for _, v := range g.regulars {
		if v != 0 {
			roots++
		}
	}
	return in.alive > roots || in.account.Spent().Operations > 0 || g.core.Steps().sourcePending()
}

// addEdges adds the edges of a fiber, and the sources that it is the first to wait on. A
// caller waits for its callee only, and a pinned call that is Running for nothing. A waiter
// that holds others back where it waits (fiber.Barrier) is noted too: its end would let them
// continue.
func (g *graphFeed) addEdges(v waitgraph.Vertex) {
	n := &g.fibers[v]
	if n.Callee != 0 {
		g.graph.AddEdge(v, g.vertexOf(n.Callee))
		return
	}
	if n.Pinned {
		return
	}
	var buf [8]uint32
	h := g.core.find(n.ID)
	n.unheld = !g.core.reg.isHeld(h, n.ID)
	slots := unique(g.core.reg.slotsOf(h, buf[:0]))
	if len(slots) == 0 {
		g.graph.AddEdge(v, g.graph.Environment()) // any fiber may have its ticket, or wake it by ID
	}
	for i, slot := range slots {
		object := g.object(slot)
		w := &g.on[object-g.graph.Environment()-1]
		g.graph.AddEdge(v, object)
		if b, ok := g.core.reg.sources.at(slot).source.(fiber.Barrier); ok && b.HoldsBack() {
			g.graph.AddBarrier(object, v)
		}
		if i == 0 { // the common case shares the memory of the object's own lists
			n.On, n.Holders = w.name[:1:1], w.holders[:len(w.holders):len(w.holders)]
			continue
		}
		n.On, n.Holders = append(n.On, w.name...), append(n.Holders, w.holders...)
	}
}

// object is the vertex of a source, added when the first fiber that waits on it asks: a
// source on which a million fibers wait is asked for its holders once. A source without known
// holders can be served by any fiber. An alarm that is set serves its waiters by itself.
func (g *graphFeed) object(slot uint32) waitgraph.Vertex {
	if v := g.objects[slot-1]; v != 0 {
		return v
	}
	v := g.graph.AddObject(g.core.timers.alarms.isSet(slot))
	g.objects[slot-1] = v
	src := g.core.reg.sources.at(slot).source
	w := waitedObject{name: []string{nameOf(src)}}
	if d, ok := src.(fiber.Described); ok {
		w.holders = d.Holders(nil)
	}
	g.on = append(g.on, w)
	for _, id := range w.holders {
		g.addHolder(v, id)
	}
	if len(w.holders) == 0 {
		g.graph.AddEdge(v, g.graph.Environment())
	}
	return v
}

// addHolder notes a fiber that could end the waits on a source. It is blocked itself, or can
// act because it is not blocked or runs elsewhere; an ID of no living fiber may stand for any
// fiber. In doubt the source can progress: a report may miss a group, but never names a fiber
// that could have continued.
func (g *graphFeed) addHolder(object waitgraph.Vertex, id fiber.ID) {
	switch v := g.vertexOf(id); {
	case g.core.departed.has(id):
		g.graph.SetCanProgress(object)
	case g.core.find(id) == nil:
		g.graph.AddEdge(object, g.graph.Environment())
	case v < 0:
		g.graph.SetCanProgress(object)
		g.awake[id] = g.core.Inspect().Name(id)
	default:
		g.graph.AddEdge(object, v)
	}
}

// vertexOf is the vertex of a living fiber of either pool. It is negative if the fiber is
// neither blocked nor pinned under a pump. The hosts' sources name holders, so the ID may be
// anything: the index is checked, and addHolder uses the answer only if the fiber is alive.
func (g *graphFeed) vertexOf(id fiber.ID) waitgraph.Vertex {
	of := g.regulars
	if id.IsTrampoline() {
		of = g.calls
	}
	if id.Index() >= uint32(len(of)) {
		return -1
	}
	return of[id.Index()] - 1
}

// unique removes repetitions and keeps the order. Most waits have few sources and need no map.
// A select may name a channel in two cases; twice in the report it would read like two
// channels.
func unique(slots []uint32) []uint32 {
	kept := slots[:0]
	if len(slots) <= 32 {
		for _, s := range slots {
			if !slices.Contains(kept, s) {
				kept = append(kept, s)
			}
		}
		return kept
	}
	seen := make(map[uint32]bool, len(slots))
	for _, s := range slots {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

// report has all blocked fibers and one cycle, if there is one. It shares the memory of g,
// which is not used afterwards.
func (g *graphFeed) report() *Report {
	return &Report{Fibers: g.fibers, Cycle: g.ids(g.graph.Cycle()), awake: g.awake}
}

// stuck has a report for each partial deadlock. A fiber of one is in the full list too; the
// copies of its entry share their lists.
func (g *graphFeed) stuck() []Report {
	groups := g.graph.Stuck()
	if len(groups) == 0 {
		return nil
	}
	reports := make([]Report, len(groups))
	for i, group := range groups {
		r := &reports[i]
		r.Fibers = make([]BlockedFiber, 0, len(group.Members))
		for _, v := range group.Members {
			r.Fibers = append(r.Fibers, g.fibers[v])
		}
		r.Cycle = g.ids(group.Cycle)
	}
	return reports
}

// ids are the fibers of the vertices, which are waiters.
func (g *graphFeed) ids(vertices []waitgraph.Vertex) []fiber.ID {
	if len(vertices) == 0 {
		return nil
	}
	ids := make([]fiber.ID, len(vertices))
	for i, v := range vertices {
		ids[i] = g.fibers[v].ID
	}
	return ids
}
