package wait

import (
	"errors"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// What can be wrong with one operation. Each arrives wrapped in an *Error that names
// the object; test with errors.Is.
var (
	// ErrClosed: a send or a second Close on a closed channel.
	ErrClosed = errors.New("the channel is closed")
	// ErrNilChan: Close of a nil channel.
	ErrNilChan = errors.New("the channel is nil; only waiting on it has a meaning (for ever)")
	// ErrForeign: the object belongs to another scheduler.
	ErrForeign = errors.New("it belongs to another scheduler; use a port between schedulers")
	// ErrReady: the operation would not block, so a wait for it could miss its wake
	// (I9). Disarm and try again.
	ErrReady = errors.New("it would not block; disarm and try again")
	// ErrDoubleLock: the owner locks again, or a reader wants to write as well.
	ErrDoubleLock = errors.New("this fiber holds the lock already; unlock it first")
	// ErrNotOwner: an unlock, or a wait for a condition, by somebody who does not hold
	// the lock, or not in this way.
	ErrNotOwner = errors.New("only the owner may unlock")
	// ErrPoisoned: the owner died while it held the lock, so what it guards may be
	// half done.
	ErrPoisoned = errors.New("the lock is poisoned: its owner died while it held it")
	// ErrPermits: a number of permits that no semaphore, or not this one, can ever give.
	ErrPermits = errors.New("want at least 1 permit and at most all there are")
	// ErrNotHeld: a release of more permits than the fiber holds.
	ErrNotHeld = errors.New("a fiber gives back only permits it holds")
	// ErrReentered: the fiber that runs a Once asks for it again.
	ErrReentered = errors.New("this fiber runs it and cannot wait for its own run")
	// ErrNotRunner: the end of a run, told by a fiber that does not run it.
	ErrNotRunner = errors.New("only the fiber that runs it can say how that ended")
	// ErrRunFailed: the only run there was to be has failed.
	ErrRunFailed = errors.New("its one run failed")
	// ErrSelfJoin: a fiber waits for its own end.
	ErrSelfJoin = errors.New("a fiber cannot wait for its own end")
	// ErrDuration: a length of time that no wait can have; see DurationError.
	ErrDuration = errors.New("wait: bad duration")
)

// Error is a refused operation: what was tried, on which object, and why not. Nothing
// has changed.
type Error struct {
	Op     string   // "send", "close", "lock", …
	Object string   // kind and name, as in `chan "jobs"`
	Owner  fiber.ID // who holds the object (for ErrPoisoned: held it); 0 if that means nothing
	By     fiber.ID // who tried; 0 if the operation does not say
	Err    error    // one of the sentinels, or an error that wraps one and adds numbers
	Site   string   // where in the program, if the host tells; "" if not
}

// Error names the operation, the object, the reason with its mend, who is involved, and
// where.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("wait: " + e.Op + ": " + e.Object + ": " + e.Err.Error())
	switch {
	case e.Owner != 0 && e.By != 0:
		b.WriteString(" (owner " + e.Owner.String() + ", tried by " + e.By.String() + ")")
	case e.Owner != 0:
		b.WriteString(" (owner " + e.Owner.String() + ")")
	case e.By != 0:
		b.WriteString(" (tried by " + e.By.String() + ")")
	}
	if e.Site != "" {
		b.WriteString(" at " + e.Site)
	}
	return b.String()
}

// Unwrap gives the sentinel.
func (e *Error) Unwrap() error { return e.Err }

// ContractError is the value of the panic a host gets that broke the flow in the
// package comment: it cannot be handled, only mended.
type ContractError struct {
	Rule   fiber.Rule // the rule that was broken; docs/invariants.md states it
	Op     string
	Object string
	Ticket fiber.Ticket // the ticket involved, if one was
	Fix    string       // what the host did wrong and does instead
}

// Error names the rule, the mistake and the mend.
func (e *ContractError) Error() string {
	s := "wait: broken " + rule.Cite(e.Rule) + ": " + e.Op + ": " + e.Object + ": " + e.Fix
	if !e.Ticket.IsZero() {
		s += " (ticket " + e.Ticket.String() + ")"
	}
	return s
}

// outOfOrder is what a park says whose ticket the queue refused: it does not directly
// follow its Arm, so arrival order would no longer be Seq order.
func outOfOrder(op, object string, t fiber.Ticket) *ContractError {
	return &ContractError{Rule: rule.I11, Op: op, Object: object, Ticket: t,
		Fix: "the ticket is zero or older than one parked here before; park right after its Arm"}
}

// noOwner is what an operation says that would make nobody an owner.
func noOwner(op, object string) *ContractError {
	return &ContractError{Rule: rule.I12, Op: op, Object: object,
		Fix: "the owner is no fiber; pass the ID of the fiber that is to own it"}
}
