package scope

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// Spawn spawns a fiber into an open scope; any fiber of the scheduler may, usually one of
// the scope. Options.Link is the scope's. Errors: *ClosedError with the cause if the scope
// is stopping or has ended, wait.ErrForeign for a scope of another scheduler, and those of
// SpawnWith; then there is no new fiber.
func Spawn[T any](sched *scheduler.Scheduler[T], s *Scope, data T, o scheduler.Options) (fiber.RegularID, error) {
	return spawn(sched, s, data, o, &member{scope: s, cell: o.Cell})
}

// SpawnBody is Spawn for the fiber that is the code of the scope: what it returns is the
// value of the scope, and that it does decides nothing. A scope has one body or none.
func SpawnBody[T any](sched *scheduler.Scheduler[T], s *Scope, data T, o scheduler.Options) (fiber.RegularID, error) {
	return spawn(sched, s, data, o, &member{scope: s, cell: o.Cell, body: true})
}

func spawn[T any](sched *scheduler.Scheduler[T], s *Scope, data T, o scheduler.Options, m *member) (fiber.RegularID, error) {
	if sched == nil || s == nil {
		panic(&wait.ContractError{Rule: rule.ValidArgument, Op: "spawn", Object: "nil",
			Fix: "there is no scheduler or no scope: pass both"})
	}
	if err := s.admit(&sched.Core); err != nil {
		return 0, err
	}
	o.Link = m
	if s.group != nil {
		o.Group = s.group
	}
	id, err := sched.SpawnWith(data, o)
	if err != nil {
		return 0, err
	}
	m.id = id.ID()
	s.roll.add(m)
	return id, nil
}

// admit refuses a fiber that the scope could not look after.
func (s *Scope) admit(c *scheduler.Core) error {
	switch {
	case c != s.core:
		return &wait.Error{Op: "spawn", Object: (*source)(s).Describe(), Owner: s.owner, Err: wait.ErrForeign}
	case s.cause != nil || s.ended:
		return &ClosedError{Scope: s.opts.Name, Cause: s.cause}
	}
	return nil
}
