package reactor

import (
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Group is what must not run on two workers at once: a Lua state, an instance of a wasm
// module. Slices of one group run one after the other, in the order of their turns. 0 is
// no group: such a fiber shares nothing.
type Group uint64

// Machine is what a host must be able to do to have its fibers run by a Reactor.
type Machine[T any] interface {
	// Resume runs one slice on a worker and says how it ended. It has the fiber's payload
	// to itself and may touch no other fiber, no object of package wait and no scheduler:
	// what it wants of them it says with Slice.Do and Slice.Await. A panic ends the fiber.
	Resume(s *Slice[T]) fiber.Outcome
	// Group is asked by the owner before each slice.
	Group(data *T) Group
}

// Await is an operation that needs an answer, and with which a slice ends. The owner calls
// both methods, with the fiber current.
type Await[T any] interface {
	// Begin tries the operation. If the answer is there already it puts it into the
	// payload, and the fiber goes on with its next slice. Else it arms a wait and parks
	// the ticket where the answer will come from; nothing is delivered in between. Before
	// a wait with a deadline it asks the scheduler's TimerRoom.
	Begin(s *scheduler.Scheduler[T], data *T)
	// End puts the answer into the payload, before the next slice: how the wait of the
	// ticket ended, by a cancellation too. It is not called for a fiber that was killed
	// before that: nothing is assigned to one, and a value that was is lost (I12).
	End(s *scheduler.Scheduler[T], data *T, t fiber.Ticket, r fiber.Result)
}

// Slice is one slice of a fiber as the worker has it.
type Slice[T any] struct {
	// Data is the payload.
	Data *T
	// ID is the fiber.
	ID fiber.RegularID
	// Budget is what the slice may use, in the host's own units (scheduler.Config.Budget).
	// A host counts it down, and ends the slice with TimesliceExpired when it is used up;
	// one that goes on (FrameChanged, an operation that need not wait) has what it left.
	Budget int
	// Now is the instant at which the slice was handed out.
	Now fiber.Time
	// Woke is how the wait ended in which the last slice ended; its Code is fiber.Pending
	// if that did not wait. It is fiber.Killed in the slices of a fiber that was killed and
	// has frames (scheduler.Options): they are for its defers, and what they await is refused.
	Woke fiber.Result
	// Refused is why the last slice ended with a wait that was not begun, and the fiber
	// goes on: scheduler.ErrTooManyTimers, for one with a deadline; else nil.
	Refused error

	// What the worker leaves for the owner.
	effects []func(*scheduler.Scheduler[T])
	await   Await[T]
	result  any
	err     error
	out     fiber.Outcome

	group   Group        // the owner's
	flight  uint64       // numbers the hand-outs of all slices
	asked   int          // the owner's: how often it was asked to make room
	done    bool         // the owner's: its result has arrived
	unwinds bool         // the owner's: its fiber is to die, and has frames
	preempt atomic.Bool  // the owner asks, the worker looks
	began   atomic.Int64 // ns since the reactor was made; 0 before a worker has it
}

// Do has f called by the owner when the slice has ended, with the fiber current: for what
// needs no answer, as waking and spawning. What a slice does happens in order, and before
// what any later slice of the fiber does. It must not end the slice, nor block.
func (s *Slice[T]) Do(f func(*scheduler.Scheduler[T])) { s.effects = append(s.effects, f) }

// Await is the outcome of a slice that ends with an operation.
func (s *Slice[T]) Await(a Await[T]) fiber.Outcome {
	s.await = a
	return fiber.BlockOn(fiber.OnQueue())
}

// Return is the outcome of a fiber's last slice.
func (s *Slice[T]) Return(result any, err error) fiber.Outcome {
	s.result, s.err = result, err
	return fiber.Outcome{Kind: fiber.Done}
}

// Preempted tells whether the slice should end: it has had its time, or its fiber was
// killed. A long slice asks now and then, and returns TimesliceExpired.
func (s *Slice[T]) Preempted() bool { return s.preempt.Load() }
