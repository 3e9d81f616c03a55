package trampoline

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Call is one call that parks or nests, from Enter to Leave. It is used by the fiber that made
// it, and its copies stand for the same call. The zero Call is none. It is four words long, as a
// fiber.Outcome is, and for the same reason.
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
	return c.pool.wayOf(c.id)
}

// Suspend ends a slice of the callee as its outcome says, and returns when it may go on:
// at once for FrameChanged and OSR, after the others have had a turn, or when the wait has
// ended that is armed (or that is armed now, for the outcome's reason). It is for callees
// that are native code themselves; Park and Nest call it for those that are not. The error is the
// verdict of a pump that nothing could end; the call has to be left then.
func (c Call[T]) Suspend(o fiber.Outcome) error {
	c.pool.mustBeInFlight("Suspend", c.id)
	switch {
	case o.Kind != fiber.TimesliceExpired && o.Kind != fiber.Block:
		return nil
	case c.Way() == Parking:
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
	if c.pool == nil {
		c.pool.mustBeInFlight("Leave", c.id)
	}
	c.pool.leave(c.id) // the scheduler refuses a call that is over
}

// run steps the callee of a call whose native frames stay on a stack, until it has ended.
func (c Call[T]) run(callee Callee) (err error) {
	defer func() { err = c.pool.end(c.id, err) }()
	received := c.pool.sched.Unwind().Cancelled()
	for {
		o, over, err := c.pool.step(callee, received)
		if over {
			return err
		}
		_ = c.Suspend(o) // its error is in force in the fiber: step returns it
	}
}

// end leaves a call, also while a Go panic passes on. The error is the one given, or that of the
// panic which the call has handed over.
func (p *Pool[T]) end(id fiber.TrampolineID, err error) error {
	p.leave(id)
	if err != nil || p.sched.Inspect().Poisoned() != nil {
		return err
	}
	return p.sched.Unwind().Handed()
}

// step runs the callee for a slice. over: it has ended, or its fiber has to unwind, which is the
// error.
func (p *Pool[T]) step(callee Callee, received bool) (o fiber.Outcome, over bool, err error) {
	unwind := p.sched.Unwind()
	if err := unwind.UnwindCause(); err != nil {
		return fiber.Outcome{Kind: fiber.Panic}, true, err
	}
	if o = callee.Step(); !o.Ends() {
		return o, false, nil
	}
	if err := unwind.UnwindCause(); err != nil {
		return o, true, err
	}
	_, panicked := unwind.Unrecovered()
	switch {
	case o.Kind == fiber.Panic && !panicked:
		panic(p.refusal("the callee", rule.PanicPhase, "the callee returned Panic, and no panic has ended its code: return what Unwind().Fail or Stop gives, or call NextDefer until no deferred call is left"))
	case o.Kind == fiber.Done && panicked:
		o.Kind = fiber.Panic
	case o.Kind == fiber.Done && !received && unwind.Cancelled():
		panic(p.refusal("the callee", rule.CallOrder, "the callee received the cancellation of its fiber and returned Done, so its caller would take it for a success: return what Unwind().Stop gives"))
	}
	return o, true, nil
}

func (p *Pool[T]) leave(id fiber.TrampolineID) {
	s := p.sched
	if s.Inspect().Poisoned() != nil {
		return // the violation is on its way up
	}
	if s.Inspect().Armed() {
		s.Disarm()
	}
	s.ReleaseTrampoline(id)
	p.flying[id.ID().Index()] = flight{}
	p.count--
}

// mustBeInFlight refuses a use of a call that was left, or never begun: then p may be nil.
func (p *Pool[T]) mustBeInFlight(call string, id fiber.TrampolineID) {
	switch fix := "the call is over, or was never begun: begin each by Enter or Reenter, and leave it once"; {
	case p == nil:
		panic(&scheduler.ContractError{Rule: rule.I4, Fix: fix})
	case p.wayOf(id) == 0 && p.sched.Inspect().Poisoned() == nil:
		panic(p.refusal(call, rule.I4, fix))
	}
}

func (p *Pool[T]) refusal(call string, r fiber.Rule, fix string) *scheduler.ContractError {
	return p.sched.Inspect().ContractError("trampoline: "+call, r, fix)
}
