package scope

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/wait"
)

// Try tells the owner whether the scope has ended: no fiber of it is alive. From then on
// it takes none.
func (s *Scope) Try() bool {
	s.ended = s.ended || s.roll.n == 0
	return s.ended
}

// Reason is what the owner's next wait is armed with: the deadline is in it until the
// scope is decided.
func (s *Scope) Reason() fiber.Reason {
	if s.decided {
		return fiber.OnQueue()
	}
	return fiber.OnQueue().WithDeadline(s.deadline)
}

// Park registers the owner that Try has just told to wait. The error is wait.ErrReady: the
// scope has ended, or could.
func (s *Scope) Park(t fiber.Ticket) error {
	switch {
	case s.roll.n == 0:
		return &wait.Error{Op: "wait", Object: (*source)(s).Describe(), By: t.ID, Err: wait.ErrReady}
	case !s.waiting.IsZero():
		panic(&wait.ContractError{Rule: rule.I11, Op: "wait", Object: (*source)(s).Describe(), Ticket: t,
			Fix: "its owner waits already; to wait for one of its fibers, join that"})
	}
	s.waiting = t
	return nil
}

// Collect takes note of how the owner's wait ended. The deadline cancels the fibers, and
// so does a cancel of the owner, with its cause; then Try again.
func (s *Scope) Collect(_ fiber.Ticket, res fiber.Result) {
	switch res.Code {
	case fiber.TimedOut:
		s.Cancel(ErrDeadline)
	case fiber.Cancelled:
		s.Cancel(s.core.Unwind().Cause(s.owner))
	}
}
