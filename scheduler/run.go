package scheduler

import (
	"context"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/internal/rule"
)

// Machine is what a host has to implement: run a fiber for a slice and say how the slice
// ended. Resume is called with f current, on the goroutine that owns the scheduler. If it has
// armed a wait it returns a Block outcome, whatever its reason. It returns when the host's
// budget for a slice is used up (Inspect().Budget): nothing else takes the goroutine from a
// fiber.
//
// A Go panic in Resume is not a guest's panic, which is an Outcome: it leaves Run, and the fiber
// ends.
type Machine[T any] interface {
	Resume(s *Scheduler[T], f *Fiber[T]) fiber.Outcome
}

// MachineFunc is a Machine that is a function.
type MachineFunc[T any] func(s *Scheduler[T], f *Fiber[T]) fiber.Outcome

// Resume calls the function.
func (m MachineFunc[T]) Resume(s *Scheduler[T], f *Fiber[T]) fiber.Outcome {
	if m == nil {
		panic(missing(op.Pump, "the MachineFunc is nil: pass a function that resumes the fiber"))
	}
	return m(s, f)
}

// Run drives the fibers with m until the run ends. The first of these ends it; after all but the
// last two the other fibers are killed, and Run returns when they have unwound:
//
//	a fiber ends by a panic that fails the run   its *PanicError (Options.OnPanic)
//	the main fiber fails (Options.Main)          the error that it ended with, unchanged: a
//	                                             *PanicError, what SetResult set, the cause of
//	                                             its cancellation, an ErrKilled
//	the main fiber returns                       nil
//	ctx ends                                     ctx.Err()
//	the waits are used up                        ErrWaitsUsedUp (see WaitRoom)
//	every fiber has ended                        nil
//	every fiber is blocked for good              *DeadlockError; the fibers are left as they are
//
// In place of nil Run returns the first *DeadlockError or *StackInversionError that has failed a
// pinned call (Calls), and ctx.Err() if ctx has ended too.
//
// The calling goroutine owns the scheduler meanwhile; a second Run, Begin or Close is refused
// (ONE-OWNER). A Go panic of m.Resume ends the fiber that was resumed, with its native calls, and
// leaves Run; the next Run continues with the others.
func (s *Scheduler[T]) Run(ctx context.Context, m Machine[T]) error {
	if len(s.pins) > 0 {
		s.refuseAs(op.Pump, rule.NestedFrames, "a native call is pinned: Pump until it can continue; Run is the outermost loop")
	}
	if m == nil {
		s.refuseAs(op.Pump, rule.ValidArgument, "Run has no Machine: pass what resumes the fibers, or a MachineFunc")
	}
	l := s.Steps().begin(ctx, "Run")
	defer l.Close()
	for {
		l.CheckStop()
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			for s.Finish(m.Resume(s, f)) {
			}
			if l.Stopping() {
				break
			}
		}
		// A run that something has ended begins anew with CheckStop, before a poll could
		// start anything.
		if s.Steps().stopRequest() != nil || s.Poll() {
			continue
		}
		if over, err := l.Sleep(); over {
			return err
		}
	}
}

// Close refuses commands from other goroutines and spawns from now on (ErrStopped), carries out the
// commands that were posted before, and cancels nothing: KillAll and Run until every fiber has ended,
// or their Handles never complete. The owner calls it, between slices. A command is either
// refused or carried out, never dropped.
func (c *Core) Close() {
	l := &Loop{core: c}
	l.claim("Close")
	defer l.release()
	c.inbox.close()
	c.inbox.drain(c)
	c.closed = true // after the drain, which carries out each Start that was posted before
}
