package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Finish ends the slice that ScheduleNext began as its outcome says, and tells whether the
// fiber is still current: then resume it at once (a frame change, a block that was
// interrupted). A killed fiber without frames dies here whatever the outcome.
func (c *Core) Finish(o fiber.Outcome) (resume bool) {
	h := c.cur
	if h.word&stateMask != running {
		c.refuse(op.Finish)
	}
	if h.has(reapable) && !h.has(chained) {
		c.finishKilled(h)
		return false
	}
	if o.Kind == fiber.Block && h.word&(armed|chained) == armed { // the usual case first
		return !c.Block().LeavesCPU()
	}
	switch o.Kind {
	case fiber.FrameChanged, fiber.OSR:
		return true
	case fiber.TimesliceExpired:
		c.YieldCurrent()
		return false
	case fiber.Block:
		return c.finishBlock(o.Reason)
	case fiber.Panic:
		c.finishPanic(h)
		return false
	case fiber.Done:
		c.KillCurrent()
		return false
	}
	c.refuseAs(op.Finish, rule.ValidArgument, "invalid OutcomeKind %d: return one of the OutcomeKind constants", o.Kind)
	return false
}

// finishPanic records that the fiber ends by a panic, whatever it has set as its result.
func (c *Core) finishPanic(h *header) {
	c.enter(op.Exit)
	c.mustBeAbleToExit(h)
	c.reg.keepExt(h).panicked = true
	c.leave()
	c.KillCurrent()
}

// finishKilled: a latched result was assigned to a fiber that will never collect it; its
// death reports that to the source (I12).
func (c *Core) finishKilled(h *header) {
	switch {
	case h.has(latched):
		c.enter(op.Finish)
		if c.observer != nil {
			c.observer.catchUp()
			c.observer.report(Transition{Op: op.Disarm, ID: c.Current()})
		}
		h.clear(latched)
		c.leave()
	case h.has(armed):
		c.Disarm()
	}
	c.KillCurrent()
}

func (c *Core) finishBlock(r fiber.Reason) bool {
	if c.cur.bars() {
		c.refuseAs(op.Finish, rule.NestedFrames, "native calls of a fiber that nests stand on the stack that drives the scheduler: its slice ends after they have returned; Block and Pump in them")
	}
	if !c.cur.has(armed | latched) {
		c.Arm(r)
	}
	return !c.Block().LeavesCPU()
}
