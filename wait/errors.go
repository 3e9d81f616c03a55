package wait

import (
	"errors"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// The reasons of refusals. Each is wrapped in an *Error that names the object; test with
// errors.Is.
var (
	// ErrClosed: a send or a second Close on a closed channel.
	ErrClosed = errors.New("the channel is closed")
	// ErrNilChan: Close of a nil channel.
	ErrNilChan = errors.New("the channel is nil; make it with NewChan (a wait on a nil channel never ends)")
	// ErrForeign: the object belongs to another scheduler.
	ErrForeign = errors.New("it belongs to another scheduler; use a port between schedulers")
	// ErrReady: the operation would not block, so a wait for it could miss its wake-up
	// (I9). Disarm and try again.
	ErrReady = errors.New("it would not block; disarm and try again")
	// ErrDoubleLock: the owner locks again, or a reader locks to write as well.
	ErrDoubleLock = errors.New("this fiber holds the lock already; unlock it first")
	// ErrNotOwner: an unlock or a wait on a Cond by a fiber that does not hold the lock in
	// this way; a release of more permits than the fiber holds; the end of a run, reported
	// by a fiber that does not run it.
	ErrNotOwner = errors.New("only the owner may unlock")
	// ErrPoisoned: the owner died while it held the lock, so what the lock guards may be in
	// an inconsistent state.
	ErrPoisoned = errors.New("the lock is poisoned: its owner died while it held it")
	// ErrPermits: a number of permits that is less than 1 or more than the semaphore has.
	ErrPermits = errors.New("want at least 1 permit and at most all there are")
	// ErrReentered: the fiber that runs a Once calls for the same run.
	ErrReentered = errors.New("this fiber runs it and cannot wait for its own run")
	// ErrRunFailed: the run failed, and with Poison there is no second one.
	ErrRunFailed = errors.New("its one run failed")
	// ErrSelfJoin: a fiber waits for its own end.
	ErrSelfJoin = errors.New("a fiber cannot wait for its own end")
	// ErrDuration: a duration that is negative, not a number, infinite or too long.
	ErrDuration = errors.New("wait: bad duration")
)

// The refusals that are ErrNotOwner and have a text of their own.
const (
	errNotHeld   notOwner = "a fiber gives back only permits it holds"
	errNotRunner notOwner = "only the fiber that runs it can say how that ended"
)

type notOwner string

// Error is the text.
func (e notOwner) Error() string { return string(e) }

// Unwrap is ErrNotOwner.
func (e notOwner) Unwrap() error { return ErrNotOwner }

// Error is a refused operation: what was tried, on which object, and why it was refused.
// The object is unchanged.
type Error struct {
	Op     string   // "send", "close", "lock", …
	Object string   // kind and name, as in `chan "jobs"`
	Owner  fiber.ID // the fiber that holds the object (with ErrPoisoned: held it); 0 if none
	By     fiber.ID // the fiber that tried; 0 if the operation is not given it
	Err    error    // one of the sentinels, or an error that wraps one and adds numbers
	Site   string   // position in the program, if the host adds it; else ""
}

// Error names the operation, the object, the reason, the fibers and the position.
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

// ContractError is the value of the panic when a host breaks the flow in the package
// comment. It is a mistake in the host's code, to be corrected there, not handled.
type ContractError struct {
	Rule   fiber.Rule // the rule that was broken; docs/invariants.md states it
	Op     string
	Object string
	Ticket fiber.Ticket // the ticket involved, if one was
	Fix    string       // what the host did wrong, and what to do instead
}

// Error names the rule, the mistake and the fix.
func (e *ContractError) Error() string {
	s := "wait: broken " + rule.Cite(e.Rule) + ": " + e.Op + ": " + e.Object + ": " + e.Fix
	if !e.Ticket.IsZero() {
		s += " (ticket " + e.Ticket.String() + ")"
	}
	return s
}

// outOfOrder is the error of a Park whose ticket the queue refused: the Park did not
// directly follow the Arm, so arrival order would no longer be Seq order.
func outOfOrder(op, object string, t fiber.Ticket) *ContractError {
	return &ContractError{Rule: rule.I11, Op: op, Object: object, Ticket: t,
		Fix: "the ticket is zero or older than one parked here before; park right after its Arm"}
}

// noOwner is the error of an operation whose owner is the zero ID.
func noOwner(op, object string) *ContractError {
	return &ContractError{Rule: rule.I12, Op: op, Object: object,
		Fix: "the owner is no fiber; pass the ID of the fiber that is to own it"}
}
