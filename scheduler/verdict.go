package scheduler

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// VerdictKind says what an idle scheduler is waiting for.
type VerdictKind uint8

const (
	// Busy: it is not idle; a fiber is ready.
	Busy VerdictKind = iota + 1
	// Done: no fiber is alive, and no ExternalSource can bring one.
	Done
	// Waiting: input from outside can make a fiber ready: a deadline of a wait, an alarm
	// with waiters, an operation, an External wait, an open Sender, a slice that runs on
	// another goroutine, a Resume of a paused fiber that is ready, an ExternalSource with waiters, or the end of a fiber that has
	// moved out.
	Waiting
	// Deadlock: fibers are blocked and none of those inputs can come. Exact: no fiber
	// of this scheduler can ever run again.
	Deadlock
	// StackInversion: nothing can wake the native call that is pumped for, and one
	// below it that was woken cannot continue before it does. Only where fibers nest.
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

// Verdict tells a loop with no ready fiber what to do next (docs/design.md#loop).
type Verdict struct {
	Kind VerdictKind
	// Until is when a Waiting scheduler must be polled at the latest: the earliest live
	// deadline. Among more than 64 that lie close together it may be one that was
	// withdrawn; the poll then finds nothing due. Never: only an operation or another
	// goroutine can end the waiting.
	Until fiber.Time
	// OnlyMoved: it is Waiting only for the ends of fibers that have moved out. If the
	// caller knows that none of those ends, this is a deadlock; Inspect.Report explains it.
	OnlyMoved bool
	// Report explains a Deadlock or a StackInversion.
	Report *Report

	leak bool // of a Deadlock: the main fiber has returned (Config.Linger)
	// The calls of a StackInversion; its report is only added where one is asked for.
	inversion StackInversionError
	// Without a living fiber: what has failed a pinned call during the run.
	stuck error
}

// Err is a Deadlock or a StackInversion as the error that a run or a pump ends with. If no
// fiber is alive it is the first of these that a pump of the run has found. It is nil otherwise.
func (v Verdict) Err() error {
	switch v.Kind {
	case Deadlock:
		if v.leak {
			return &LeakError{Report: v.Report}
		}
		return &DeadlockError{Report: v.Report}
	case StackInversion:
		e := v.inversion
		e.Report = v.Report
		return &e
	}
	return v.stuck
}

// IdleVerdictWithReport gives the verdict when Poll has found nothing. No fiber may be
// current. In a pump the verdict is about the innermost pinned call. The report takes time
// in proportion to the fibers.
func (f Steps) IdleVerdictWithReport() Verdict {
	c := f.enterIdle()
	defer c.leave()
	return idleVerdictWithReport(c)
}

// IdleVerdict is IdleVerdictWithReport without the report: it tells only whether anything
// can still happen.
func (f Steps) IdleVerdict() Verdict {
	c := f.enterIdle()
	defer c.leave()
	return idleVerdict(c)
}

func (f Steps) enterIdle() *Core {
	if f.core.cur != f.core.none {
		f.core.refuse(op.Idle)
	}
	f.core.enter(op.Idle)
	return f.core
}

func idleVerdictWithReport(c *Core) Verdict {
	v := idleVerdict(c)
	if v.Kind == Deadlock || v.Kind == StackInversion {
		v.Report = feedGraph(c, nil).report()
	}
	return v
}

// idleVerdict walks no wait-for graph: whatever could wake a fiber is counted where it begins
// and ends, and only the alarms that are set and the fibers that have moved out are searched
// for one that is waited on. So Deadlock is exact without a look at the blocked fibers; the
// graph is only built to explain it. The order of the questions matters: what is ready now,
// then what may come, then why nothing can.
func idleVerdict(c *Core) Verdict {
	by, goesOn := c.pump().innermost()
	if c.run().len() > 0 || goesOn || c.inbox.pending() {
		return Verdict{Kind: Busy, Until: c.Now()}
	}
	var stuck error
	if c.Inspect().Live() == 0 {
		stuck = c.stuck
	}
	if until, some := canProgress(c); some {
		return Verdict{Kind: Waiting, Until: until, stuck: stuck}
	}
	// A Sender may have posted a command and closed between the two looks above: its
	// command is in the inbox before it counts as closed, so look once more.
	if c.inbox.pending() {
		return Verdict{Kind: Busy, Until: c.Now()}
	}
	switch {
	case c.Inspect().Live() == 0:
		return Verdict{Kind: Done, Until: fiber.Never, stuck: stuck}
	case c.departed.awaited(&c.reg.sources):
		return Verdict{Kind: Waiting, Until: fiber.Never, OnlyMoved: true}
	}
	if below := c.pump().below(); below != 0 {
		return Verdict{Kind: StackInversion, Until: fiber.Never, inversion: StackInversionError{Below: below, Above: by.ID()}}
	}
	return Verdict{Kind: Deadlock, Until: fiber.Never, leak: c.lingers}
}

// canProgress tells whether input from outside the ready queue can make a fiber ready, and
// until when to wait for it. Without fibers only a source of new ones counts. A deadline of a
// wait counts always, an alarm only if a fiber waits on it, the time limit of a Group never: live
// counts all, so more live entries than alarms and limits means a deadline. A loop that waits for
// something else wakes for the limit.
func canProgress(c *Core) (until fiber.Time, some bool) {
	switch {
	case c.Inspect().Live() == 0:
		return fiber.Never, c.inbox.hasSenders() || c.Steps().sourcePending()
	case c.timers.live > c.timers.alarms.count+c.groups.limits() || c.timers.alarms.awaited(&c.reg.sources):
		return c.timers.next(), true
	}
	until = fiber.Never
	if c.groups.limits() > 0 {
		until = c.timers.next()
	}
	return until, c.Ops().pending() || c.external > 0 || c.inbox.hasSenders() || c.lent > 0 || c.pauses.held > 0 || c.Steps().sourcePending()
}

// DeadlockError is how Run ends when no fiber can ever run again. The fibers are left
// blocked, so the host can inspect them, and kill them (KillAll).
type DeadlockError struct{ Report *Report }

// Error is the whole report.
func (e *DeadlockError) Error() string {
	if n := e.Report.count(); n > 1 {
		return fmt.Sprintf("deadlock: all %d fibers are blocked and nothing can wake them\n%v", n, e.Report)
	}
	return fmt.Sprintf("deadlock: the only fiber is blocked and nothing can wake it\n%v", e.Report)
}

// LeakError is how Run ends, with Config.Linger, when the main fiber has returned and the fibers that are
// left can never run again. They are left blocked, as after a deadlock.
type LeakError struct{ Report *Report }

// Error is the whole report.
func (e *LeakError) Error() string {
	if n := e.Report.count(); n > 1 {
		return fmt.Sprintf("leak: the main fiber has returned, and %d fibers are blocked and nothing can wake them\n%v", n, e.Report)
	}
	return fmt.Sprintf("leak: the main fiber has returned, and one fiber is blocked and nothing can wake it\n%v", e.Report)
}
