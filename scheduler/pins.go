package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// A fiber that nests (Options.Nests) runs on the call stack that drives the scheduler. The
// native frames below its native call cannot be suspended. So when the call waits, its callers
// stay Running, pinned where they are, and a pump above them runs other fibers until the
// call can continue:
//
//	call           Block →        Blocked, pinned     a delivery → Running, pinned
//	               YieldPinned →  Running, pinned
//	its callers    stay Running, pinned
//	current        none; then the fibers that the pump mounts, on top
//	Unpin          innermost pin only, its call Running: the chain is mounted again
//
// Several chains can be pinned, each under the pump of the next: pins mirrors that part of
// the native stack. A pinned call that was woken while another lies above it
// cannot continue before that one has.

// Nests tells whether native calls of the current fiber pump instead of parking.
func (f Calls[T]) Nests() bool { return f.sched.cur.has(nests) }

// Frames tells whether a kill lets the current fiber unwind: it was spawned with Options.Frames, or
// is in a native call.
func (f Calls[T]) Frames() bool { return f.sched.cur.has(frames) }

// YieldPinned pins the chain of the current fiber, which nests and is in a native call, so
// that other fibers can run. The call stays Running: Unpin continues it at any time. It is
// what YieldCurrent is to a fiber that can park. PumpTurn is both with a turn in between.
func (f Calls[T]) YieldPinned() {
	c := &f.sched.Core
	if invariants.On {
		c.mistakes().mustHold(op.Pump)
	}
	c.enter(op.Pump)
	h, id := c.executing(op.Pump)
	if !c.cur.bars() || h.has(armed|latched) {
		c.refuse(op.Pump)
	}
	c.pump().pin()
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Pump, ID: id, Answer: "yields"})
	}
	c.leave()
}

// Pinned is the innermost pinned call, whose pump is to run now, and whether it can continue.
// There is none without nesting.
func (f Calls[T]) Pinned() (call fiber.TrampolineID, canContinue bool) {
	return f.sched.pump().innermost()
}

// Unpin mounts the innermost pinned chain again: its root is current as before. Its call must
// be Running, and no fiber may be current.
func (f Calls[T]) Unpin() { f.sched.pump().unpin() }

// pump has the steps on the stack of pins. They need no payload; Pump and PumpTurn, which run
// fibers, do (pump.go).
type pump struct{ core *Core }

func (c *Core) pump() pump { return pump{c} }

// pinChain blocks the executing trampoline of a fiber that nests. Its callers stay as they
// are, under the pump that has to follow.
func (f pump) pinChain(h *header) {
	_, id := f.core.chains().topOf(f.core.cur)
	h.clear(armed)
	f.core.pass(h, parked, uint32(id.Raw()))
	f.pin()
}

// pin pushes the current chain. Its root stays Running and is in one place still: no longer
// current, but pinned (I2). The number of pins is bounded where a call begins
// (Config.MaxNesting), because here it is too late for an error.
func (f pump) pin() {
	c := f.core
	c.pins = append(c.pins, pin{c.cur, c.curID})
	c.cur = c.none
}

// innermost is the call on top of the stack of pins, and whether it can continue.
func (f pump) innermost() (call fiber.TrampolineID, canContinue bool) {
	c := f.core
	if len(c.pins) == 0 {
		return 0, false
	}
	h, id := c.chains().topOf(c.pins[len(c.pins)-1].root)
	call, _ = id.Trampoline()
	return call, h.state() == fiber.Running
}

// unpin pops the innermost chain only: it is the one whose frames are on top of the native
// stack.
func (f pump) unpin() {
	c := f.core
	c.enter(op.Pump)
	if _, canContinue := f.innermost(); !canContinue || c.cur != c.none {
		c.refuse(op.Pump)
	}
	last := len(c.pins) - 1
	p := c.pins[last]
	c.pins = c.pins[:last]
	if p.root.state() != fiber.Running || !p.root.bars() {
		c.broken(op.Pump, rule.I2, "%v is %v and was pinned under a pump", p.id, p.root.state())
	}
	c.cur, c.curID = p.root, p.id
	if c.observer != nil {
		c.observer.report(Transition{Op: op.Pump, ID: c.Current(), Answer: "unpinned"})
	}
	c.leave()
}

// below is the innermost pinned call that could continue but for another pinned above it; 0
// if there is none. O(pins).
func (f pump) below() fiber.ID {
	c := f.core
	for i := len(c.pins) - 2; i >= 0; i-- {
		if h, id := c.chains().topOf(c.pins[i].root); h.state() == fiber.Running {
			return id
		}
	}
	return 0
}

// siteOf is the position in the guest's program of the fiber of a chain, for reports. Only
// the host knows it, and only by regular ID; without Config.Site it is "".
func (c *Core) siteOf(id fiber.ID) string {
	_, root := c.chains().rootOf(id)
	if reg, ok := root.Regular(); ok && c.cfg.Site != nil {
		return c.cfg.Site(reg)
	}
	return ""
}

// StackInversionError is the verdict on a pump that nothing can end: its call waits, and
// below it on the same native stack is a call that was woken but cannot continue before it.
// With stacks of their own, the woken call would continue, and might wake the other.
type StackInversionError struct {
	// Below could continue; Above lies on top of it and waits without an end.
	Below, Above fiber.ID
	// Report shows the callers of both and the other blocked fibers.
	Report *Report
}

// Error names both calls and shows the callers.
func (e *StackInversionError) Error() string {
	return fmt.Sprintf("stack inversion: %v was woken but lies under %v, which nothing can wake, on the same native stack\n%v",
		e.Below, e.Above, e.Report)
}
