package scope

import (
	"strconv"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// Policy says which end of a fiber decides its scope.
type Policy uint8

const (
	// CancelOnError: the first failure cancels the other fibers and is the result.
	CancelOnError Policy = iota
	// WaitAll: a failure cancels no fiber; the result is all of them.
	WaitAll
	// AnySuccess: the first fiber, the body apart, that ends well cancels the others, and
	// its value is the scope's. The result is an error only if none did and some failed.
	AnySuccess
)

var policyNames = [...]string{"cancel on error", "wait for all", "any success"}

// String is the policy in lower-case words.
func (p Policy) String() string {
	if int(p) < len(policyNames) {
		return policyNames[p]
	}
	return "invalid policy"
}

// Options are what a scope is opened with; the zero Options are usable.
type Options struct {
	// Name is for reports and errors.
	Name   string
	Policy Policy
	// IsolatePanics makes a panic cancel no fiber under CancelOnError: it is reported in the
	// result and nothing more (panicstate.Isolate). Otherwise it is a failure like others
	// (panicstate.FailGroup).
	IsolatePanics bool
	// Limits are quotas of the fibers of the scope and of those that they spawn. If there are any,
	// these fibers are a scheduler.Group below that of the owner. When one is passed they are
	// killed: a failure with the *quota.Error.
	Limits quota.Limits
}

// Scope is the lifetime of the fibers spawned into it: see the package comment. It belongs
// to the goroutine that owns the scheduler. It is a fiber.Source: its owner waits on it.
//
// Invariants, checked by the property test after every operation:
//   - every fiber in the list is alive or doomed, and all fibers of the scope that are not
//     dead are in the list;
//   - an ended scope has an empty list, and no fiber waits for it;
//   - while the owner waits, the list is not empty.
type Scope struct {
	anchor   fiber.Anchor
	core     *scheduler.Core
	opts     Options
	deadline fiber.Time
	owner    fiber.ID
	waiting  fiber.Ticket     // of the owner, or zero
	group    *scheduler.Group // nil without limits
	roll     roll

	ended    bool
	closed   bool         // its owner has let go of it, or died
	cause    error        // why its fibers were cancelled; nil while it is open
	decided  bool         // and that is its result
	verdict  *CancelError // if it was cancelled from outside
	failures []failure    // those that are the result
	value    any
}

// failure is one to report, and the fiber's join cell if it has one.
type failure struct {
	*Failure
	cell *ioqueue.Cell
}

// Open opens a scope whose owner is the current fiber. At the deadline (fiber.Never: none)
// its fibers are cancelled with ErrDeadline. The owner waits for its end and closes it
// before it does anything else that may block or end it.
func Open(c *scheduler.Core, o Options, deadline fiber.Time) *Scope {
	if c == nil {
		panic(&wait.ContractError{Rule: rule.ValidArgument, Op: "open", Object: label(o.Name),
			Fix: "there is no scheduler: pass the Core of the one that runs the owner"})
	}
	s := &Scope{core: c, opts: o, deadline: deadline, owner: c.Current()}
	s.anchor.Bind(c.Inspect().Number(), 0)
	if o.Limits != (quota.Limits{}) {
		s.group = c.Attachments().NewGroup(c.Inspect().Group(s.owner), label(o.Name), o.Limits)
	}
	c.Attachments().Link((*keeper)(s))
	return s
}

// Owner is the fiber that opened it.
func (s *Scope) Owner() fiber.ID { return s.owner }

// Cause is why its fibers were cancelled, nil if they were not: the *Failure, the cause
// given to Cancel, ErrDeadline, ErrStopped, ErrOwnerDied.
func (s *Scope) Cause() error { return s.cause }

// Close lets the owner go. The value is what the body returned, or under AnySuccess the
// first success. The error is what decided the scope: nil, a *Failure, a *CancelError, or
// several of those joined. Failures in it count as observed (ioqueue.Cell). It may be
// called again, by any caller, and gives the same. A scope that has not ended cannot be
// closed (contract).
func (s *Scope) Close() (value any, err error) {
	if !s.ended {
		panic(&wait.ContractError{Rule: rule.I12, Op: "close", Object: (*source)(s).Describe(),
			Fix: "it has not ended: wait until Try says so"})
	}
	if !s.closed {
		s.closed = true
		s.core.Attachments().Unlink((*keeper)(s))
	}
	s.observe()
	return s.value, s.result()
}

// label is "scope" and the name, quoted because a guest may have chosen it.
func label(name string) string {
	if name == "" {
		return "scope"
	}
	return "scope " + strconv.Quote(name)
}
