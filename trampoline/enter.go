package trampoline

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Park calls the guest from native code whose frames are on a stack that can park, and returns when
// the callee has ended: while the callee waits, st is suspended with all its frames. A kill lets
// them unwind. Package parking has such stacks.
//
// The error is nil if the callee is done. Any other means that native code returns too, with the
// error: when the callee has failed or was cancelled its panic is in force in the caller, and passing
// the error to Unwind().Fail goes on with that panic. A *scheduler.PanicError is the panic; the
// cause of the fiber's cancellation or kill means that it has to unwind. ErrForeignStack,
// scheduler.ErrTooManyTrampolines and scheduler.ErrTooDeep say that the call did not begin. After a
// failure a further call does not begin either and returns the same error.
//
// A way that does not fit the fiber (its Options), or a callee that is nil or returns an outcome
// that cannot be, is a contract error.
func (p *Pool[T]) Park(st Stack, callee Callee) error { return p.call(Parking, st, callee) }

// Nest calls the guest from native code whose frames are on the stack that drives the scheduler, and
// returns when the callee has ended: while the callee waits, other fibers run above it. The fiber was
// spawned with scheduler.Options.Nests. Errors are those of Park; a callee that nothing can wake, or
// that waits below a call which cannot end, ends with a *scheduler.DeadlockError or
// *scheduler.StackInversionError in the panic.
func (p *Pool[T]) Nest(callee Callee) error { return p.call(Nesting, nil, callee) }

func (p *Pool[T]) call(way Way, st Stack, callee Callee) error {
	p.mustRun(way.call(), callee)
	c, err := p.Enter(way, st)
	if err != nil {
		return err
	}
	return c.run(callee)
}

// Reenter begins a call by native code that keeps no frames while it waits, as machine code that
// returns an exit code and is entered again. Errors are those of Park, before the call begins.
func (p *Pool[T]) Reenter() (Reentry[T], error) {
	id, err := p.begin(ExitAndReenter, nil)
	if err != nil {
		return Reentry[T]{}, err
	}
	return Reentry[T]{pool: p, id: id, received: p.sched.Unwind().Cancelled()}, nil
}

// Enter begins a call whose callee is native code itself: it waits by Suspend, and its caller calls
// Leave. Use Park or Nest for a callee that is the guest's. Errors are those of Park, before the call
// begins; ExitAndReenter is a contract error, because it has no frames to suspend (Reenter).
func (p *Pool[T]) Enter(way Way, st Stack) (Call[T], error) {
	if way != Parking && way != Nesting {
		panic(p.refusal("Enter", rule.ValidArgument, "Enter is for Parking and Nesting: for "+way.String()+" call Reenter"))
	}
	id, err := p.begin(way, st)
	if err != nil {
		return Call[T]{}, err
	}
	return Call[T]{pool: p, id: id, stack: st}, nil
}

// mustRun refuses a call without a callee, before it begins.
func (p *Pool[T]) mustRun(call string, callee Callee) {
	if f, isFunc := callee.(CalleeFunc); callee == nil || isFunc && f == nil {
		panic(p.refusal(call, rule.ValidArgument, "the call has no Callee: pass what it runs, such as a CalleeFunc"))
	}
}

func (p *Pool[T]) begin(way Way, st Stack) (fiber.TrampolineID, error) {
	p.mustFit(way, st)
	if st != nil && !st.Allows(way) {
		return 0, ErrForeignStack
	}
	if err := p.sched.Unwind().Handed(); err != nil {
		return 0, err // the native code has not passed on what its last call failed with
	}
	id, err := p.sched.AcquireTrampoline()
	if err != nil {
		return 0, err
	}
	slot := int(id.ID().Index())
	for len(p.flying) <= slot {
		p.flying = append(p.flying, flight{})
	}
	p.flying[slot] = flight{id, way}
	p.count++
	return id, nil
}

// mustFit refuses a way in which the current fiber cannot wait. In another way than that of its
// Options a call would begin well and fail, or lose its frames, when it waits or is killed.
func (p *Pool[T]) mustFit(way Way, st Stack) {
	s := p.sched
	if s.Current() == 0 {
		return // AcquireTrampoline refuses
	}
	nests, fix := s.Calls().Nests(), ""
	switch {
	case way == Nesting && !nests:
		fix = "the call nests, and its fiber was not spawned with Options.Nests: spawn it so, or call Park or Reenter"
	case way != Nesting && nests:
		fix = "the calls of this fiber nest, because it was spawned with Options.Nests: call Nest, or spawn it without"
	case way == Parking && st == nil:
		fix = "Park has no Stack to suspend: run native code on one (package parking), or call Nest or Reenter"
	default:
		return
	}
	panic(p.refusal(way.call(), rule.NestedFrames, fix))
}
