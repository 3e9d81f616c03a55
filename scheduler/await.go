package scheduler

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
)

// await registers a ticket for a token, and tells whether the completion has come already. A
// token that this fiber cannot await is a contract error.
func (f Ops) await(t fiber.Ticket, tok fiber.Token) (early bool) {
	early, err := f.core.io.Await(tok, t)
	if err != nil {
		f.core.refuseAs(op.Arm, rule.I8, "%v: await each token once, from the fiber that submitted it", err)
	}
	return early
}

// pending tells whether operations alone will wake a fiber: one is awaited, or one that was
// abandoned will make room.
func (f Ops) pending() bool { return f.core.io.Awaiting() > 0 || f.core.io.Room().AwaitsDevice() }

// Cancellations appends the tokens whose operations nothing waits for any more. The shell
// cancels them, and each still completes once. It is for a host without a Device; devices
// receive the tokens at each poll.
func (f Ops) Cancellations(dst []fiber.Token) []fiber.Token {
	c := f.core
	c.enter(op.Complete)
	dst = c.io.Cancellations(dst)
	c.leave()
	return dst
}

// Outstanding tells whether the token belongs to an operation whose owner has not abandoned
// it.
func (f Ops) Outstanding(tok fiber.Token) bool { return f.core.io.Owner(tok) != 0 }

// Counters are the totals of the operations that fibers have submitted.
func (f Ops) Counters() ioqueue.Counters { return f.core.io.Counters() }
