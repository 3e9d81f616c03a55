package trampoline

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Call is one synchronous call, from Enter to the end of Run, or to Leave. It is used by
// the fiber that made it, and its copies stand for the same call. The zero Call is none.
// It is four words long, as a fiber.Outcome is, and for the same reason.
type Call[T any] struct {
	pool  *Pool[T]
	stack Stack
	id    fiber.TrampolineID
}

// ID is the call's trampoline.
func (c Call[T]) ID() fiber.TrampolineID { return c.id }

// Way is how it waits; 0 for the zero Call, and for one that was left.
func (c Call[T]) Way() Way {
	if c.id == 0 {
		return 0
	}
	if f := c.pool.flying[c.id.ID().Index()]; f.id == c.id {
		return f.way
	}
	return 0
}

// Run runs the callee until it has ended, and leaves the call. Outcomes that are no end are
// left out, but for ExitAndReenter: there Run returns with the outcome that native code is
// to exit with, and is called again, with the same callee, when it is re-entered. The
// outcome says so: o.Ends() if the call is over.
//
// The error is nil if the callee is done; a *scheduler.PanicError if it panicked, and then
// the panic is in force in the caller; or why the fiber has to unwind (Unwind.UnwindCause), and then
// the callee was dropped where it stood.
func (c Call[T]) Run(callee Callee) (o fiber.Outcome, err error) {
	if callee == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Acquire,
			Fix: "Run has no Callee: pass what the call runs, or Leave the call"})
	}
	returned := false
	defer func() {
		if !returned {
			c.Leave()
		}
	}()
	for {
		if err = c.pool.sched.Unwind().UnwindCause(); err != nil {
			o = fiber.Outcome{Kind: fiber.Panic}
			break
		}
		if o = callee.Step(); o.Ends() {
			err = c.panicOf(o)
			break
		}
		if c.Way() == ExitAndReenter {
			returned = true
			return o, nil
		}
		c.Suspend(o)
	}
	returned = true
	c.Leave()
	return o, err
}

// panicOf is the panic that a callee has ended with.
func (c Call[T]) panicOf(o fiber.Outcome) error {
	p, panicked := c.pool.sched.Unwind().Unrecovered()
	switch {
	case panicked:
		return &scheduler.PanicError{Value: p.Value, Site: p.Site}
	case o.Kind == fiber.Panic:
		return &scheduler.PanicError{Value: "the callee gave no value"}
	}
	return nil
}

// Suspend ends a slice of the callee as its outcome says, and returns when it may go on:
// at once for FrameChanged and OSR, after the others have had a turn, or when the wait has
// ended that is armed (or that is armed now, for the outcome's reason). It is for callees
// that are native code themselves; Run calls it for those that are not. The error is the
// verdict of a pump that nothing could end; the call has to be left then.
func (c Call[T]) Suspend(o fiber.Outcome) error {
	way := c.Way()
	switch {
	case o.Kind != fiber.TimesliceExpired && o.Kind != fiber.Block:
		return nil
	case way == ExitAndReenter:
		panic(&scheduler.ContractError{Rule: rule.CallOrder, Op: op.Block,
			Fix: "a call without native frames does not wait in them: return from native code with the outcome of Run"})
	case way == Parking:
		c.stack.Park(o)
		return nil
	case o.Kind == fiber.TimesliceExpired:
		c.pool.sched.Calls().PumpTurn(c.pool.machine)
		return nil
	}
	s := c.pool.sched
	if !s.Inspect().Armed() {
		s.Arm(o.Reason)
	}
	if s.Block() != scheduler.Pinned {
		return nil
	}
	return s.Calls().Pump(c.pool.machine)
}

// Leave ends the call, whatever its callee was doing; a wait it had armed is taken back.
// Calls it was making itself must have been left. It is called once.
func (c Call[T]) Leave() {
	s := c.pool.sched
	if s.Inspect().Poisoned() != nil {
		return // the violation is on its way up
	}
	if s.Inspect().Armed() {
		s.Disarm()
	}
	s.ReleaseTrampoline(c.id)
	c.pool.flying[c.id.ID().Index()] = flight{}
	c.pool.count--
}
