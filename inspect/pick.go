package inspect

import (
	"cmp"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// waitersShown is how many fibers that wait on one object a graph has, if not all nodes have room.
const waitersShown = 25

// node is a fiber or an object of a view, by its index.
type node struct {
	object bool
	at     int32
}

// picker chooses the nodes of a graph: from the seeds outward, until there are as many as allowed.
type picker struct {
	view   *view
	links  *links
	limit  int
	picked map[node]bool
	order  []node // in which they were picked; those from next on have neighbors to look at
	next   int
	full   bool                  // there was no room for one
	cycle  map[fiber.ID]fiber.ID // by a fiber of the cycle: the one after it
}

func (v *view) picker(limit int) *picker {
	p := &picker{view: v, links: v.linked(), limit: limit, picked: map[node]bool{}, cycle: map[fiber.ID]fiber.ID{}}
	for i, id := range v.waits.cycle {
		p.cycle[id] = v.waits.cycle[(i+1)%len(v.waits.cycle)]
	}
	return p
}

func (p *picker) add(n node) {
	switch {
	case p.picked[n]:
	case len(p.order) >= p.limit:
		p.full = true
	default:
		p.picked[n] = true
		p.order = append(p.order, n)
	}
}

func (p *picker) addFiber(id fiber.ID) {
	if at := p.view.index(p.links, id); at >= 0 {
		p.add(node{at: int32(at)})
	}
}

// spread adds what is connected to the nodes that are there.
func (p *picker) spread() {
	for ; p.next < len(p.order); p.next++ {
		if n := p.order[p.next]; n.object {
			p.spreadObject(n.at)
		} else {
			p.spreadFiber(int(n.at))
		}
	}
}

func (p *picker) spreadFiber(at int) {
	s := &p.view.snapshot
	f := s.Fibers[at]
	if f.Calls {
		p.add(node{at: int32(at + 1)})
	}
	if caller := p.view.callerOf(at); caller >= 0 {
		p.add(node{at: int32(caller)})
	}
	for _, source := range s.On(f) {
		p.add(node{true, int32(source)})
	}
	for _, source := range p.links.holds[f.ID] {
		p.add(node{true, int32(source)})
	}
}

func (p *picker) spreadObject(source int32) {
	s := &p.view.snapshot
	for _, holder := range first(s.Holders(s.Sources[source]), waitersShown) {
		p.addFiber(holder)
	}
	waiters := p.links.waiters[source]
	if len(waiters) > waitersShown {
		p.full = true
	}
	for _, at := range first(waiters, waitersShown) {
		p.add(node{at: at})
	}
}

// seeds are the fibers of the cycle, then those that are stuck, and then the objects with the most waiters.
func (p *picker) seeds() {
	for _, id := range p.view.waits.cycle {
		p.addFiber(id)
	}
	for _, group := range p.view.waits.stuck {
		for _, id := range group {
			p.addFiber(id)
		}
	}
	p.spread()
	sources := make([]int32, len(p.links.waiters))
	for i := range sources {
		sources[i] = int32(i)
	}
	slices.SortStableFunc(sources, func(a, b int32) int {
		return cmp.Compare(len(p.links.waiters[b]), len(p.links.waiters[a]))
	})
	for _, source := range sources {
		p.add(node{true, source})
		p.spread()
	}
	for at := range p.view.snapshot.Fibers {
		if p.view.snapshot.Fibers[at].Calls {
			p.add(node{at: int32(at)})
			p.spread()
		}
	}
}
