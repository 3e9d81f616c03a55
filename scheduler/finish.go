package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/panicstate"
)

// Finish ends the slice that ScheduleNext began as its outcome says, and reports whether the
// fiber is still current: then resume it at once (a frame change, a block that was
// interrupted). A Block outcome blocks in the wait that the host has armed, else in one for the
// outcome's reason. Panic and Done end the fiber, with what BeginPanic and SetResult have set; Panic
// without a panic in force and without an error is a contract error (PANIC-PHASE).
//
// A killed fiber without frames dies here whatever the outcome: nothing of it has to unwind, and
// a wait that it armed is withdrawn. That test comes first, so a fiber that was killed while a
// worker ran its slice cannot block or yield.
//
// A call with no fiber current, and an OutcomeKind that is none, are contract errors.
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
		if invariants.On {
			c.mistakes().mustHaveCollected(h)
		}
		c.KillCurrent()
		return false
	}
	c.refuseAs(op.Finish, rule.ValidArgument, "invalid OutcomeKind %d: return one of the OutcomeKind constants", o.Kind)
	return false
}

// finishPanic records that the fiber ends by a panic, whatever it has set as its result. It checks
// first that the fiber can end, so that a refusal leaves no mark.
func (c *Core) finishPanic(h *header) {
	c.enter(op.Exit)
	c.mustBeAbleToExit(h)
	c.mustHavePanicked(h)
	c.reg.keepExt(h).panicked = true
	c.leave()
	c.KillCurrent()
}

// mustHavePanicked refuses an Outcome Panic whose cause the scheduler does not know: the panic
// machine has not ended the fiber's code, and no error was set. The value and the site would be lost.
// A fiber that was killed ends with the cause of the kill.
func (c *Core) mustHavePanicked(h *header) {
	s := c.reg.ext(h)
	if _, panicked := s.outcome(); panicked || h.has(killPending) || s != nil && s.err != nil {
		return
	}
	if s != nil && s.panics != nil && s.panics.Phase() != panicstate.Idle {
		c.refuseAs(op.Exit, rule.PanicPhase, "%s ends with Panic while its panic machine is %v: run the deferred calls that Unwind().Panics().NextDefer gives until it gives none, then return Panic",
			c.titleOf(c.curID), s.panics.Phase())
	}
	c.refuseAs(op.Exit, rule.PanicPhase, "%s ends with Panic and no panic is in force: raise one by Unwind().BeginPanic and NextDefer, or set an error by SetResult",
		c.titleOf(c.curID))
}

// finishKilled ends a fiber that must not block any more. A latched result was assigned to a fiber
// that will never collect it: the latch is cleared but the wait stays owed, and the fiber's death
// reports that to the source (I12). An armed wait without a result is taken back, which withdraws
// it from its sources (I10). The gate lets no fiber with either bit die (I13).
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

// finishBlock handles the Block outcomes that are not the usual case: a wait that is not armed yet
// or is latched, and native calls. A fiber that nests cannot end its slice under a call: the
// frames of the call stand below the loop that would go on (rule NESTED-FRAMES).
func (c *Core) finishBlock(r fiber.Reason) bool {
	if c.cur.bars() {
		c.refuseAs(op.Finish, rule.NestedFrames, "native calls of a fiber that nests stand on the stack that drives the scheduler: its slice ends after they have returned; Block and Pump in them")
	}
	if !c.cur.has(armed | latched) {
		c.Arm(r)
	}
	return !c.Block().LeavesCPU()
}
