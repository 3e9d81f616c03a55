package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/rule"
)

// own makes the calling goroutine the owner by one compare-and-swap, so of two goroutines that begin
// an operation at once exactly one is refused.
func (c *Core) own(call Op) {
	if c.inbox.asleep.Load() || !invariants.Take(c) {
		c.refuseGoroutine(call)
	}
}

// mustOwn is own at the start of a fast path, which takes nothing.
func (c *Core) mustOwn(call Op) {
	if c.inbox.asleep.Load() || invariants.Foreign(c) {
		c.refuseGoroutine(call)
	}
}

// letGo ends the ownership, unless a slice, a run or an operation continues.
func (c *Core) letGo() {
	if c.cur == c.none && c.op == c.restOp && c.active.Load() == nil {
		invariants.Leave(c)
	}
}

// refuseGoroutine refuses a call of a goroutine that is not the owner. What it reads is the owner's
// and may be out of date. Three kinds of calls pass: those of a poisoned scheduler, which panics by
// itself; those in the slice of a fiber with frames on a stack that is the host's own, where no switch
// was seen; and those from the stack of a run inside a slice, or of a guest's coroutine.
func (c *Core) refuseGoroutine(call Op) {
	asleep := c.inbox.asleep.Load()
	switch {
	case c.poison != nil, !asleep && c.cur.has(frames) && (!invariants.Followed(c) || invariants.OnNestedStack()):
		return
	case c.op != c.restOp:
		c.reportOverlap(call)
	}
	during := "in the middle of a run"
	if asleep {
		during = "while the owner waits for input"
	} else if c.cur != c.none {
		during = fmt.Sprintf("during the slice of %v", c.curID)
	}
	refuseOwner(call, "another goroutine called %v %s: one goroutine owns a scheduler; use its Inbox from others", call, during)
}

// refuseOwner is the refusal of a call that breaks ONE-OWNER. It has no view: the scheduler may be
// in the middle of an operation, or in use by another goroutine.
func refuseOwner(call Op, format string, args ...any) {
	e := missing(call, fmt.Sprintf(format, args...))
	e.Rule = rule.OneOwner
	panic(e)
}
