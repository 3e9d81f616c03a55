package trampoline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// ErrForeignStack: the native frames here can neither be suspended nor run others above
// them: frames of a foreign runtime stand between. Make the call from a fiber whose stack
// is a goroutine.
var ErrForeignStack = errors.New("trampoline: the stack stands on foreign frames and can neither park nor nest here; use a goroutine-backed fiber")

// Pool makes the calls of one scheduler, and knows which are in flight. It is used by the
// scheduler's owner.
type Pool[T any] struct {
	sched   *scheduler.Scheduler[T]
	machine scheduler.Machine[T]
	flying  []flight // by slot
	count   int
}

// flight is a call that was entered and not left; the zero flight is none.
type flight struct {
	id  fiber.TrampolineID
	way Way
}

// New makes a Pool. The machine is what a nesting call runs other fibers with: the one the
// scheduler's loop uses. It may be nil if no fiber nests; the pump of one that does refuses it.
func New[T any](s *scheduler.Scheduler[T], m scheduler.Machine[T]) *Pool[T] {
	if s == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Acquire,
			Fix: "New has no scheduler: pass the one whose fibers make the calls"})
	}
	return &Pool[T]{sched: s, machine: m}
}

// wayOf is how a call in flight waits; 0 if it was left.
func (p *Pool[T]) wayOf(id fiber.TrampolineID) Way {
	slot := int(id.ID().Index())
	if slot >= len(p.flying) || p.flying[slot].id != id {
		return 0
	}
	return p.flying[slot].way
}

// InFlight is how many calls were entered and not left.
func (p *Pool[T]) InFlight() int { return p.count }

// Check is nil when no call is in flight, else a *LeakError that names them: for hosts
// that have come to their end, or believe that they are between two calls.
func (p *Pool[T]) Check() error {
	if p.count == 0 {
		return nil
	}
	e := new(LeakError)
	for _, f := range p.flying {
		if f.id != 0 {
			e.Calls = append(e.Calls, f.id)
		}
	}
	return e
}

// LeakError names calls that were entered and not left.
type LeakError struct{ Calls []fiber.TrampolineID }

// Error lists them.
func (e *LeakError) Error() string {
	names := make([]string, len(e.Calls))
	for i, id := range e.Calls {
		names[i] = id.String()
	}
	return fmt.Sprintf("trampoline: %d calls were not left: %s", len(names), strings.Join(names, ", "))
}
