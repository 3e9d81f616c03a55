package scope

import (
	"fmt"

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
		return &wait.Error{Op: "wait", Object: s.Describe(), By: t.ID, Err: wait.ErrReady}
	case !s.waiting.IsZero():
		panic(&wait.ContractError{Rule: rule.I11, Op: "wait", Object: s.Describe(), Ticket: t,
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

// Anchored gives the place for the scheduler's note about the scope.
func (s *Scope) Anchored() *fiber.Anchor { return &s.anchor }

// Withdraw forgets the owner's wait. Nobody can go on because of that.
func (s *Scope) Withdraw(t fiber.Ticket, dst []fiber.Wakeup) []fiber.Wakeup {
	if s.Holds(t) {
		s.waiting = fiber.Ticket{}
	}
	return dst
}

// Holds tells whether the owner waits with this ticket.
func (s *Scope) Holds(t fiber.Ticket) bool { return s.waiting == t && !t.IsZero() }

// Describe is the name and how many fibers are alive.
func (s *Scope) Describe() string {
	plural := "s"
	if s.roll.n == 1 {
		plural = ""
	}
	return fmt.Sprintf("%s (%d fiber%s)", label(s.opts.Name), s.roll.n, plural)
}

// Holders appends the fibers that are alive, in the order of their spawning.
func (s *Scope) Holders(dst []fiber.ID) []fiber.ID {
	for m := s.roll.first; m != nil; m = m.next {
		dst = append(dst, m.id)
	}
	return dst
}
