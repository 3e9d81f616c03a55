package parking

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// keepStacks is how many goroutines of native code that has ended wait for the next.
const keepStacks = 256

// Machine is a scheduler.Machine that runs the native code of fibers on stacks that park, and all
// else with the host's machine. It belongs to the goroutine that owns the scheduler.
type Machine[T any] struct {
	sched  *scheduler.Scheduler[T]
	guest  scheduler.Machine[T]
	calls  *trampoline.Pool[T]
	stacks *stack.Pool
	native []*native // by slot: the native code that a fiber is in; nil if it is in none
}

// New wraps the machine that resumes guest code; give the Machine to Run in its place.
func New[T any](s *scheduler.Scheduler[T], guest scheduler.Machine[T]) *Machine[T] {
	if s == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Acquire,
			Fix: "New has no scheduler: pass the one whose fibers call native code"})
	}
	if guest == nil {
		panic(&scheduler.ContractError{Rule: rule.ValidArgument, Op: op.Acquire,
			Fix: "New has no Machine: pass the one that resumes guest code"})
	}
	m := &Machine[T]{sched: s, guest: guest, stacks: stack.NewPool(stack.Coroutine, keepStacks)}
	m.stacks.Follow(s)
	m.calls = trampoline.New(s, scheduler.Machine[T](m))
	return m
}

// Calls is the pool of the calls that native code makes.
func (m *Machine[T]) Calls() *trampoline.Pool[T] { return m.calls }

// Resume runs a fiber for a slice: the native code that it is in, or the guest's. It is for the
// scheduler. A killed fiber runs no guest code.
func (m *Machine[T]) Resume(s *scheduler.Scheduler[T], f *scheduler.Fiber[T]) fiber.Outcome {
	if n := m.current(); n != nil {
		if o, over := m.resume(n); !over || o.Kind != 0 {
			return o
		}
	}
	if m.sched.Unwind().UnwindCause() != nil {
		return fiber.Outcome{Kind: fiber.Done}
	}
	return m.guest.Resume(s, f)
}

// Run runs native code for the current fiber, called by its guest machine. The code runs until it
// has returned, or until a call of it waits; the host returns the Outcome from Resume unless it is
// the zero Outcome. That one is native code's own, and says that the guest's code continues. When
// native code that has waited returns it, guest code continues by Resume.
//
// Native code that is called while the fiber is in native code already, by a callee, runs on the
// same stack. A Go panic of the code leaves Run.
func (m *Machine[T]) Run(code func() fiber.Outcome) fiber.Outcome {
	if code == nil {
		panic(m.refusal("Run", rule.ValidArgument, "Run has no native code: pass the function"))
	}
	if m.current() != nil {
		return code()
	}
	n := &native{code: code}
	n.stack = m.stacks.New(n.main)
	m.enter(n)
	o, _ := m.resume(n)
	return o
}

// Call calls the guest from native code that Run runs, and returns when the callee has ended. Errors
// are those of trampoline.Pool.Park, which says what to do with them.
func (m *Machine[T]) Call(callee trampoline.Callee) error {
	n := m.current()
	if n == nil {
		panic(m.refusal("Call", rule.CallOrder, "Call outside native code: run the native function by Run, and call the guest in it"))
	}
	err := m.calls.Park(n, callee)
	if err != nil && m.sched.Unwind().UnwindCause() != nil {
		n.refuse()
	}
	return err
}

// Suspend ends a slice in native code itself, which waits as the outcome says or lets the others run,
// and returns when it may continue; after a wait it claims the result. The error is why its fiber has
// to unwind, if it has to (scheduler.Unwind.UnwindCause). Outside a call the fiber must have been
// spawned with scheduler.Options.Frames: a kill would drop the native frames of another.
func (m *Machine[T]) Suspend(o fiber.Outcome) error {
	n := m.current()
	if n == nil {
		panic(m.refusal("Suspend", rule.CallOrder, "Suspend outside native code: return the outcome from Resume"))
	}
	if !m.sched.Calls().Frames() {
		panic(m.refusal("Suspend", rule.NestedFrames, "native code waits, and its fiber was not spawned with Options.Frames: a kill would drop its frames without unwinding; spawn it so"))
	}
	if m.sched.Unwind().UnwindCause() == nil {
		n.Park(o)
	}
	err := m.sched.Unwind().UnwindCause()
	if err != nil {
		n.refuse()
	}
	return err
}

// Await waits, in native code itself, until the wait that is armed has ended, and claims its ticket
// and its result. The error is the cause of the fiber's cancellation or kill: native code returns
// then, and passes it to Unwind().Fail. It is Suspend and Claim in one call.
func (m *Machine[T]) Await() (fiber.Ticket, fiber.Result, error) {
	if err := m.Suspend(fiber.Outcome{Kind: fiber.Block}); err != nil {
		return fiber.Ticket{}, fiber.Result{}, err
	}
	t, r := m.sched.Claim()
	if r.Code == fiber.Cancelled {
		return t, r, m.sched.Unwind().Cause(m.sched.Current())
	}
	return t, r, nil
}

// Close kills every fiber, lets the native code of each unwind, and ends the goroutines of the
// stacks. The scheduler runs nothing afterwards. The owner calls it, with no fiber running.
func (m *Machine[T]) Close() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(scheduler.ErrStopped)
	m.sched.Close()
	_ = m.sched.Run(ctx, m) // its error is ctx's
	m.stacks.Close()
}

// current is the native code that the current fiber is in; nil if it is in none.
func (m *Machine[T]) current() *native {
	slot := int(m.sched.Current().Index())
	if m.sched.Current() == 0 || slot >= len(m.native) {
		return nil
	}
	return m.native[slot]
}

func (m *Machine[T]) enter(n *native) {
	if m.sched.Current() == 0 {
		panic(m.refusal("Run", rule.Executing, "Run with no fiber current: call it in the slice of the fiber whose native code it runs"))
	}
	n.slot = int(m.sched.Current().Index())
	for len(m.native) <= n.slot {
		m.native = append(m.native, nil)
	}
	m.native[n.slot] = n
}

func (m *Machine[T]) refusal(call string, r fiber.Rule, fix string) *scheduler.ContractError {
	return m.sched.Inspect().ContractError("parking: "+call, r, fix)
}
