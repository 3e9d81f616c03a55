package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// Report is the wait-for graph of the blocked fibers, as of one moment between two
// operations. It is a copy: the caller owns it, and nothing in it changes when the fibers run
// on.
type Report struct {
	// Fibers are the blocked ones and those pinned under a pump, in slot order, each
	// followed by the native calls it is in.
	Fibers []BlockedFiber
	// Cycle is one chain of fibers each of which waits for the next, the last for
	// the first; empty if there is none among the known holders.
	Cycle []fiber.ID
	// Stuck are the partial deadlocks: groups of fibers that can only be woken by each
	// other, each as a report of its own, in the order of their first fibers. Unless it is
	// cancelled or killed, none of them ever runs again, whatever the other fibers do. The
	// Report of a Deadlock has no groups: all its fibers are stuck.
	//
	// A fiber is in no group as long as one fiber that could end its wait is in none, so
	// what is reported is certain. In particular, a fiber is in none if it has a deadline,
	// waits for an operation, or is External, or if it waits on a source without known
	// holders (a channel, a signal) while any fiber can run, because that fiber could
	// send the value. A fiber that needs several holders to release is in a group once all
	// of them are.
	Stuck []Report

	awake map[fiber.ID]string // names of holders that are not blocked
}

// BlockedFiber is one fiber or native call of the graph.
type BlockedFiber struct {
	ID     fiber.ID
	Name   string
	Site   string // where in the guest's program, if Config.Site tells
	Reason fiber.Reason
	// On are the descriptions of what it waits for; none: only its ticket or its ID wakes it.
	On []string
	// Holders are the fibers known to be able to end the wait.
	Holders []fiber.ID
	// Callee is the native call it waits for, if it is a caller.
	Callee fiber.ID
	// Pinned marks a native call under a pump that is ready to continue, and does so
	// when nothing lies above it on the native stack.
	Pinned bool

	unheld bool // none of its sources holds its ticket
}

// Report tells which fibers are blocked, where and on what, and which of them are stuck while
// others run (docs/decisions/0021-deadlock-by-reachability.md). It changes nothing. It takes
// time and memory in proportion to the fibers, what they wait on, and the holders of that:
// the graph is built for each report, and no operation pays for keeping one.
func (f Inspect) Report() *Report {
	c := f.core
	c.enter(op.Idle)
	defer c.leave()
	g := feedGraph(c, nil)
	r := g.report()
	r.Stuck = g.stuck()
	return r
}

// reasonOf reconstructs the reason of a wait from the header and the side record, which keep
// its parts. The fiber is Blocked. A caller of a native call that parks waits for its callee,
// which only that call ends: a plain Queue wait.
func reasonOf(c *Core, h *header) fiber.Reason {
	if h.has(onCallee) {
		return fiber.OnQueue()
	}
	r := fiber.Reason{Kind: h.kind(), External: h.has(external), Deadline: fiber.Never}
	s := c.reg.ext(h)
	switch {
	case !h.has(timed):
	case s != nil:
		r.Deadline = s.deadline
	default:
		r.Deadline = h.deadline()
	}
	if r.Kind == fiber.IO {
		r.Token = c.reg.tokenOf(h)
	}
	return r
}

// Reason is what a fiber waits for; the zero Reason if it is not Blocked.
func (f Inspect) Reason(id fiber.ID) fiber.Reason {
	h := f.core.find(id)
	if h == nil || h.state() != fiber.Blocked {
		return fiber.Reason{}
	}
	return reasonOf(f.core, h)
}
