package reactor

import (
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
	"github.com/selvage-dev/selvage/scheduler"
)

// Group names something that two workers must not use at once, such as a Lua state or an
// instance of a WebAssembly module. Slices of one group run one after the other, in the order
// in which the scheduler dispatched them. 0 is no group: the fiber shares nothing.
type Group uint64

// Machine is the host's side of a Reactor.
type Machine[T any] interface {
	// Resume runs one slice on a worker and returns how it ended. It owns the fiber's payload
	// meanwhile, and must touch no other fiber, no object of package wait and no scheduler;
	// it leaves that to the owner by Slice.Do and Slice.Await. A panic ends the fiber.
	Resume(s *Slice[T]) fiber.Outcome
	// Group is called by the owner before each slice.
	Group(data *T) Group
}

// Await is an operation with an answer; a slice ends with it. The owner calls both methods,
// with the fiber current.
type Await[T any] interface {
	// Begin tries the operation. If the answer is there, Begin puts it into the payload and
	// the fiber goes on with its next slice. Otherwise Begin arms a wait and parks the
	// ticket where the answer will come from; nothing is delivered in between. Before a
	// wait with a deadline it calls the scheduler's TimerRoom.
	Begin(s *scheduler.Scheduler[T], data *T)
	// End puts the answer into the payload before the next slice. The result says how the
	// wait ended, also after a cancellation. End is not called for a fiber that was killed
	// meanwhile: a value that was assigned to it is lost (I12).
	End(s *scheduler.Scheduler[T], data *T, t fiber.Ticket, r fiber.Result)
}

// Slice is one time slice of a fiber. From its hand-out to its result it belongs to a worker.
type Slice[T any] struct {
	// Data is the payload.
	Data *T
	// ID is the fiber.
	ID fiber.RegularID
	// Budget is what the slice may use, in the host's own units (scheduler.Config.Budget).
	// A host counts it down, and ends the slice with TimesliceExpired when it is used up. A
	// fiber that goes on at once (FrameChanged, an operation that did not wait) keeps the rest.
	Budget int
	// Now is the instant at which the slice was handed out.
	Now fiber.Time
	// Woke is the result of the wait in which the last slice ended; its Code is fiber.Pending
	// if the slice did not wait. It is fiber.Killed in the slices of a killed fiber that has
	// frames (scheduler.Options.Frames): they run its deferred calls, and cannot wait.
	Woke fiber.Result
	// Refused is why the wait was not begun in which the last slice ended:
	// scheduler.ErrTooManyTimers, for a wait with a deadline; else nil.
	Refused error

	// Written by the worker, for the owner. The lock under which the worker posts its result, and
	// the owner collects it, orders these writes before the owner's reads.
	effects []func(*scheduler.Scheduler[T])
	await   Await[T]
	result  any
	err     error
	out     fiber.Outcome

	// The owner's.
	group     Group
	handOut   uint64 // its number among the hand-outs of all slices
	requests  int    // how often it was asked to end
	ended     bool   // in an ordered run: its result is there
	unwinding bool   // its fiber was killed and has frames

	// Both are used while the slice runs, hence atomic; no other data depends on them.

	preempt atomic.Bool  // stored by the owner, loaded by the worker
	began   atomic.Int64 // stored by the worker: ns since the workers' epoch, plus 1
}

// Do has the owner call f when the slice has ended, with the fiber current: for effects
// without an answer, such as waking and spawning. The effects of a slice happen in order, and
// before those of a later slice of the fiber. f must not end the slice and must not block.
func (s *Slice[T]) Do(f func(*scheduler.Scheduler[T])) {
	if f == nil {
		panic(missing(op.Finish, "Do has no function: pass the effect of the slice"))
	}
	s.effects = append(s.effects, f)
}

// Await makes the outcome of a slice that ends with an operation.
func (s *Slice[T]) Await(a Await[T]) fiber.Outcome {
	if a == nil {
		panic(missing(op.Finish, "Await has no operation: pass what the fiber waits for"))
	}
	s.await = a
	return fiber.BlockOn(fiber.OnQueue())
}

// missing is the panic of a call without an argument that it needs.
func missing(call scheduler.Op, fix string) error {
	return &scheduler.ContractError{Rule: rule.ValidArgument, Op: call, Fix: fix}
}

// Return makes the outcome of a fiber's last slice.
func (s *Slice[T]) Return(result any, err error) fiber.Outcome {
	s.result, s.err = result, err
	return fiber.Outcome{Kind: fiber.Done}
}

// Preempted reports whether the slice should end: it has run for Config.StallAfter, or its
// fiber was killed. A long slice polls it, and returns TimesliceExpired.
func (s *Slice[T]) Preempted() bool { return s.preempt.Load() }
