package scheduler

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
)

// Report is the wait-for graph of the blocked fibers.
type Report struct {
	// Fibers are the blocked ones, in slot order, each followed by the native calls
	// it is in.
	Fibers []BlockedFiber
	// Cycle is one chain of fibers each of which waits for the next, the last for
	// the first; empty if there is none among the known holders.
	Cycle []fiber.ID
}

// BlockedFiber is one node of the graph.
type BlockedFiber struct {
	ID     fiber.ID
	Name   string
	Site   string // where in the guest's program, if Config.Site tells
	Reason fiber.Reason
	// On are the descriptions of what it waits for; none: it waits for ever.
	On []string
	// Holders are the fibers known to be able to end the wait.
	Holders []fiber.ID
	// Callee is the native call it waits for, if it is a caller.
	Callee fiber.ID
}

// Report tells which fibers are blocked, where and on what, at any time.
func (c *Core) Report() *Report {
	c.enter(OpIdle)
	defer c.leave()
	return c.report()
}

func (c *Core) report() *Report {
	r := new(Report)
	for slot := range c.slots.used {
		h := c.slots.at(slot)
		if h.state() != fiber.Blocked {
			continue
		}
		r.Fibers = append(r.Fibers, c.node(h, fiber.NewRegularID(slot, h.gen).ID()))
		if h.has(chained) {
			r.Fibers = c.chainNodes(h, r.Fibers)
		}
	}
	r.Cycle = findCycle(r.Fibers)
	return r
}

// chainNodes appends the callees above a parked root and links each caller to its own.
func (c *Core) chainNodes(root *header, nodes []BlockedFiber) []BlockedFiber {
	_, top := c.topOf(root)
	members := []fiber.ID{top}
	for t := c.tramps.get(top); t.caller != 0; t = c.tramps.all[t.caller-1] {
		members = append(members, c.tramps.id(t.caller-1).ID())
	}
	for i := len(members) - 1; i >= 0; i-- {
		nodes[len(nodes)-1].Callee = members[i]
		nodes = append(nodes, c.node(c.tramps.find(members[i]), members[i]))
	}
	return nodes
}

func (c *Core) node(h *header, id fiber.ID) BlockedFiber {
	n := BlockedFiber{ID: id, Reason: c.reasonOf(h)}
	if s := c.sideOf(h); s != nil {
		n.Name = s.name
	}
	if reg, ok := id.Regular(); ok && c.cfg.Site != nil {
		n.Site = c.cfg.Site(reg)
	}
	if h.has(onCallee) {
		return n
	}
	for _, slot := range c.sourceSlots(h, nil) {
		src := c.sources.at(slot).source
		n.On = append(n.On, nameOf(src))
		if d, ok := src.(fiber.Described); ok {
			n.Holders = d.Holders(n.Holders)
		}
	}
	return n
}

// reasonOf reconstructs the reason of a wait from where its parts are kept.
func (c *Core) reasonOf(h *header) fiber.Reason {
	if h.has(onCallee) {
		return fiber.OnQueue()
	}
	r := fiber.Reason{Kind: h.kind(), External: h.has(external), Deadline: fiber.Never}
	s := c.sideOf(h)
	switch {
	case !h.has(timed):
	case s != nil:
		r.Deadline = s.deadline
	default:
		r.Deadline = h.deadline()
	}
	if r.Kind == fiber.IO {
		r.Token = s.token
	}
	return r
}

// Reason is what a fiber waits for; the zero Reason if it is not Blocked.
func (c *Core) Reason(id fiber.ID) fiber.Reason {
	h := c.find(id)
	if h == nil || h.state() != fiber.Blocked {
		return fiber.Reason{}
	}
	return c.reasonOf(h)
}

// Name is the fiber's name, or "".
func (c *Core) Name(id fiber.ID) string {
	if h := c.find(id); h != nil {
		if s := c.sideOf(h); s != nil {
			return s.name
		}
	}
	return ""
}

// SetName names a living fiber for reports.
func (c *Core) SetName(id fiber.ID, name string) error {
	h := c.find(id)
	if h == nil {
		return ErrGone
	}
	c.keepSide(h).name = name
	return nil
}

// String is one line a fiber and one for the cycle.
func (r *Report) String() string {
	var b strings.Builder
	names := make(map[fiber.ID]string)
	for i := range r.Fibers {
		names[r.Fibers[i].ID] = r.Fibers[i].Name
	}
	for i := range r.Fibers {
		r.Fibers[i].write(&b, names)
	}
	if len(r.Cycle) > 0 {
		b.WriteString("cycle: ")
		for _, id := range r.Cycle {
			fmt.Fprintf(&b, "%v → ", id)
		}
		fmt.Fprintf(&b, "%v\n", r.Cycle[0])
	}
	return b.String()
}

func (f *BlockedFiber) write(b *strings.Builder, names map[fiber.ID]string) {
	fmt.Fprintf(b, "  %v", f.ID)
	if f.Name != "" {
		fmt.Fprintf(b, " %q", f.Name)
	}
	if f.Site != "" {
		fmt.Fprintf(b, " at %s", f.Site)
	}
	b.WriteString(" waits ")
	switch {
	case f.Callee != 0:
		fmt.Fprintf(b, "for its native call %v", f.Callee)
	case len(f.On) > 0:
		fmt.Fprintf(b, "on %s", strings.Join(f.On, ", "))
	case f.Reason == fiber.OnQueue():
		b.WriteString("for ever")
	default:
		fmt.Fprintf(b, "on %v", f.Reason)
	}
	for i, id := range f.Holders {
		sep := ", "
		if i == 0 {
			sep = "; could be woken by "
		}
		fmt.Fprintf(b, "%s%v", sep, id)
		if name := names[id]; name != "" {
			fmt.Fprintf(b, " %q", name)
		}
	}
	if f.Callee == 0 && len(f.On) > 0 && len(f.Holders) == 0 {
		b.WriteString("; could be woken by any peer")
	}
	b.WriteByte('\n')
}

// findCycle walks the wait-for edges depth first, in slot order.
func findCycle(nodes []BlockedFiber) []fiber.ID {
	index := make(map[fiber.ID]int, len(nodes))
	for i := range nodes {
		index[nodes[i].ID] = i
	}
	const onPath, finished = 1, 2
	mark := make([]uint8, len(nodes))
	var path []fiber.ID
	var visit func(i int) []fiber.ID
	visit = func(i int) []fiber.ID {
		mark[i] = onPath
		path = append(path, nodes[i].ID)
		for _, next := range nodes[i].edges() {
			j, ok := index[next]
			switch {
			case !ok || mark[j] == finished:
			case mark[j] == onPath:
				return cutTo(path, next)
			default:
				if cycle := visit(j); cycle != nil {
					return cycle
				}
			}
		}
		mark[i] = finished
		path = path[:len(path)-1]
		return nil
	}
	for i := range nodes {
		if mark[i] == 0 {
			if cycle := visit(i); cycle != nil {
				return cycle
			}
		}
	}
	return nil
}

func (f *BlockedFiber) edges() []fiber.ID {
	if f.Callee != 0 {
		return []fiber.ID{f.Callee}
	}
	return f.Holders
}

func cutTo(path []fiber.ID, start fiber.ID) []fiber.ID {
	for i, id := range path {
		if id == start {
			return append([]fiber.ID(nil), path[i:]...)
		}
	}
	return nil
}
