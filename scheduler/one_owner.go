package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/rule"
)

// takeOwnership makes the calling goroutine the owner by one compare-and-swap, so of two goroutines
// that begin an operation at once exactly one is refused.
func (a *audit) takeOwnership(call Op) {
	c := a.core
	if c.inbox.asleep.Load() || !invariants.Take(c) {
		c.refuseSecondGoroutine(call)
	}
}

// checkOwner refuses a second goroutine at the start of a fast path. It takes no ownership, so of two
// fast paths outside slices and runs neither is refused.
func (a *audit) checkOwner(call Op) {
	c := a.core
	if c.inbox.asleep.Load() || invariants.Foreign(c) {
		c.refuseSecondGoroutine(call)
	}
}

// dropOwnership ends the ownership at the end of an operation, unless a slice, a run or an operation continues.
func (a *audit) dropOwnership() {
	c := a.core
	if c.cur == c.none && c.op == c.restOp && c.active.Load() == nil {
		invariants.Leave(c)
	}
}

// refuseSecondGoroutine refuses a call of a goroutine that is not the owner. What it reads is the owner's
// and may be out of date. Two kinds of calls pass: those of a poisoned scheduler, which panics by
// itself; and, in the slice of a fiber with frames, those that may be from its own stack, because no
// switch to that is seen: if no stacks follow the owner, or on the stack of a run inside a slice or of
// a guest's coroutine.
func (a *audit) refuseSecondGoroutine(call Op) {
	c := a.core
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
	refuseOneOwner(call, "another goroutine called %v %s: one goroutine owns a scheduler; use its Inbox from others", call, during)
}

// refuseOneOwner refuses a call that breaks ONE-OWNER. It has no view: the scheduler may be
// in the middle of an operation, or in use by another goroutine.
func refuseOneOwner(call Op, format string, args ...any) {
	e := missing(call, fmt.Sprintf(format, args...))
	e.Rule = rule.OneOwner
	panic(e)
}
