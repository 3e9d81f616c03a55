package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
)

// VerdictKind says what an idle scheduler is waiting for.
type VerdictKind uint8

const (
	// Busy: it is not idle; a fiber is ready.
	Busy VerdictKind = iota + 1
	// Done: no fiber is alive, and no ExternalSource brings one.
	Done
	// Waiting: something from outside will go on: a deadline of a wait, an alarm that
	// is waited on, an operation, a wait that is External, an open Sender, a slice that
	// somebody else runs, a ExternalSource that is waited for, the end of a fiber that has moved out.
	Waiting
	// Deadlock: fibers are blocked and nothing of all that is there. Exact: no fiber
	// of this scheduler can ever run again.
	Deadlock
	// StackInversion: nothing can wake the native call that is pumped for, and one
	// below it that was woken cannot go on before it does. Only where fibers nest.
	StackInversion
)

var verdictNames = [...]string{"none", "busy", "done", "waiting", "deadlock", "stack inversion"}

// String is the lower-case name.
func (k VerdictKind) String() string {
	if int(k) < len(verdictNames) {
		return verdictNames[k]
	}
	return "invalid verdict"
}

// Verdict is the answer to "nothing is runnable: what now?" (docs/design.md#loop).
type Verdict struct {
	Kind VerdictKind
	// Until is when a Waiting scheduler must be polled at the latest: the earliest
	// deadline that is still on. Among more than 64 that lie close together it may be
	// one that was withdrawn; the poll then finds nothing due. Never: only an operation
	// or another goroutine can end the waiting.
	Until fiber.Time
	// Abroad: it is Waiting for nothing but the ends of fibers that have moved out. Whoever
	// knows that none of those ever ends knows a deadlock, of which Inspect.Report tells.
	OnlyMoved bool
	// Report explains a Deadlock or a StackInversion.
	Report *Report
	// Buried is the call that a StackInversion keeps from going on; By is the one
	// above it that waits.
	Buried, By fiber.ID
}

// Err is a Deadlock or a StackInversion as the error that a run or a pump ends with;
// nil for the others.
func (v Verdict) Err() error {
	switch v.Kind {
	case Deadlock:
		return &DeadlockError{Report: v.Report}
	case StackInversion:
		return &StackInversionError{Buried: v.Buried, By: v.By, Report: v.Report}
	}
	return nil
}

// Idle gives the verdict. Nobody may be current; call it when Poll has found nothing. In
// a pump it is about the innermost pinned call.
func (f Steps) IdleVerdictWithReport() Verdict {
	c := f.core
	if c.cur != c.none {
		c.refuse(OpIdle)
	}
	c.enter(OpIdle)
	defer c.leave()
	return c.verdict()
}

// IdleVerdict is Idle without the report, which takes time in proportion to the fibers: for
// whoever only wants to know whether anything can still happen.
func (f Steps) IdleVerdict() Verdict {
	c := f.core
	if c.cur != c.none {
		c.refuse(OpIdle)
	}
	c.enter(OpIdle)
	defer c.leave()
	return c.outlook()
}

func (c *Core) verdict() Verdict {
	v := c.outlook()
	if v.Kind == Deadlock || v.Kind == StackInversion {
		v.Report = c.newGraph().report()
	}
	return v
}

func (c *Core) outlook() Verdict {
	by, goesOn := c.pump().innermost()
	if c.run().len() > 0 || goesOn || c.inbox.pending() {
		return Verdict{Kind: Busy, Until: c.Now()}
	}
	if until, some := c.hope(); some {
		return Verdict{Kind: Waiting, Until: until}
	}
	// Whoever was looked for in vain may have brought something first and have gone then.
	if c.inbox.pending() {
		return Verdict{Kind: Busy, Until: c.Now()}
	}
	switch {
	case c.Inspect().Live() == 0:
		return Verdict{Kind: Done, Until: fiber.Never}
	case c.departed.awaited(&c.reg.sources):
		return Verdict{Kind: Waiting, Until: fiber.Never, OnlyMoved: true}
	}
	if buried := c.pump().buried(); buried != 0 {
		return Verdict{Kind: StackInversion, Until: fiber.Never, Buried: buried, By: by.ID()}
	}
	return Verdict{Kind: Deadlock, Until: fiber.Never}
}

// hope is whether something from outside the ready queue may go on, and until when that is to be
// waited for. Without fibers only what could bring some counts.
func (c *Core) hope() (until fiber.Time, some bool) {
	switch {
	case c.Inspect().Live() == 0:
		return fiber.Never, c.inbox.hasSenders() || c.Steps().sourcePending()
	case c.timers.live > c.timers.alarms.count || c.timers.alarms.awaited(&c.reg.sources):
		return c.timers.next(), true
	}
	return fiber.Never, c.Ops().pending() || c.external > 0 || c.inbox.hasSenders() || c.lent > 0 || c.Steps().sourcePending()
}

// DeadlockError is how Run ends when no fiber can ever run again.
type DeadlockError struct{ Report *Report }

// Error is the whole report.
func (e *DeadlockError) Error() string {
	return fmt.Sprintf("deadlock: all %d fibers are blocked and nothing can wake them\n%v", e.Report.count(), e.Report)
}
