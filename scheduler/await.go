package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// await registers a ticket for a token, and reports whether the completion has come already: then
// the wait is latched at once. A token that this fiber cannot await is a contract error: it is
// unknown, of another fiber, awaited before, or abandoned (I8).
func (f Ops) await(t fiber.Ticket, tok fiber.Token) (early bool) {
	early, err := f.core.io.Await(tok, t)
	if err != nil {
		f.core.refuseAs(op.Arm, rule.I8, "%v: await each token once, from the fiber that submitted it", err)
	}
	return early
}

// pending reports whether operations alone will wake a fiber: one is awaited, or one that was
// abandoned will make room. An operation that no fiber waits for keeps no run alive.
func (f Ops) pending() bool { return f.core.io.Awaiting() > 0 || f.core.io.Room().AwaitsDevice() }

// Cancellations appends the tokens whose operations nothing waits for any more. The shell
// cancels them, and each still completes once. Each token is returned once. It is for a host
// without a Device; devices receive the tokens at each poll, and would miss those returned here.
func (f Ops) Cancellations(dst []fiber.Token) []fiber.Token {
	c := f.core
	c.enter(op.Complete)
	dst = c.io.Cancellations(dst)
	c.leave()
	return dst
}

// Outstanding reports whether the token belongs to an operation whose owner has neither abandoned
// it nor collected its completion. A device may skip the work of any other.
func (f Ops) Outstanding(tok fiber.Token) bool { return f.core.io.Owner(tok) != 0 }

// Counters are the totals of the operations that fibers have submitted.
func (f Ops) Counters() ioqueue.Counters { return f.core.io.Counters() }
