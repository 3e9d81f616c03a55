package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Report is Inspect.Report for the fibers of the Group and of those below it, if no other fiber can wake
// them.
func (g *Group) Report() *Report {
	c := g.core
	c.enter(op.Idle)
	defer c.leave()
	feed := feedGraph(c, g)
	r := feed.report()
	r.Stuck = feed.stuck()
	return r
}

// Deadlock tells that the Group has fibers and that all of them, with those below it, are blocked for good,
// if no fiber of another Group can wake them; else it is nil. The fibers are left as they are. It takes
// time in proportion to the slots that were ever in use.
func (g *Group) Deadlock() *DeadlockError {
	c := g.core
	c.enter(op.Idle)
	defer c.leave()
	if g.alive == 0 || g.someGoesOn() {
		return nil
	}
	feed := feedGraph(c, g)
	if feed.graph.CanProgress() {
		return nil
	}
	return &DeadlockError{Report: feed.report()}
}

// someGoesOn tells whether a look at the headers finds a fiber whose wait ends without another one.
func (g *Group) someGoesOn() bool {
	for id := range g.Fibers() {
		h := g.core.slots.at(id.ID().Index())
		if h.state() != fiber.Blocked && !g.core.isPinned(h) {
			return true
		}
		if h.state() == fiber.Blocked && (h.has(timed) || h.has(external) || h.kind() != fiber.Queue) {
			return true
		}
	}
	return false
}
