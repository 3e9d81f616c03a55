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
	// Done: no fiber is alive.
	Done
	// Waiting: something from outside will go on: a deadline, an operation, a wait
	// that is External, an open Sender.
	Waiting
	// Deadlock: fibers are blocked and nothing of all that is there. Exact: no fiber
	// of this scheduler can ever run again.
	Deadlock
)

var verdictNames = [...]string{"none", "busy", "done", "waiting", "deadlock"}

// String is the lower-case name.
func (k VerdictKind) String() string {
	if int(k) < len(verdictNames) {
		return verdictNames[k]
	}
	return "invalid verdict"
}

// Verdict is the answer to "nothing is runnable: what now?" (DESIGN §3).
type Verdict struct {
	Kind VerdictKind
	// Until is when a Waiting scheduler must be polled at the latest; Never if only
	// an operation or another goroutine can end the waiting.
	Until fiber.Time
	// Report explains a Deadlock.
	Report *Report
}

// Idle gives the verdict. Nobody may be current; call it when Poll has found nothing.
func (c *Core) Idle() Verdict {
	if c.cur != c.none {
		c.refuse(OpIdle)
	}
	c.enter(OpIdle)
	defer c.leave()
	held := c.inbox.held() // before pending: a Sender posts first and closes then
	switch {
	case c.ready.len() > 0 || c.inbox.pending():
		return Verdict{Kind: Busy, Until: c.Now()}
	case c.Live() == 0 && !held:
		return Verdict{Kind: Done, Until: fiber.Never}
	case c.timed > 0:
		until, _ := c.timers.Next()
		return Verdict{Kind: Waiting, Until: until}
	case c.io.Awaiting() > 0 || c.foreign > 0 || held:
		return Verdict{Kind: Waiting, Until: fiber.Never}
	}
	return Verdict{Kind: Deadlock, Until: fiber.Never, Report: c.newGraph().report()}
}

// DeadlockError is how Run ends when no fiber can ever run again.
type DeadlockError struct{ Report *Report }

// Error is the whole report.
func (e *DeadlockError) Error() string {
	return fmt.Sprintf("deadlock: all %d fibers are blocked and nothing can wake them\n%v", e.Report.count(), e.Report)
}
