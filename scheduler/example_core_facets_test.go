package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
)

// Attachments names a fiber, gives it a join cell and ties locks to it.
func ExampleCore_Attachments() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	cell, _ := s.Attachments().Cell(id)
	s.Poll()
	s.ScheduleNext()
	_, _ = s.Exit("done", nil)
	fmt.Println(cell.Result())
	// Output: done <nil> true
}

// Inbox is for all goroutines but the owner's.
func ExampleCore_Inbox() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	posted := make(chan error)
	go func() { posted <- s.Inbox().Cancel(id.ID(), errors.New("client disconnected")) }()
	fmt.Println(<-posted, s.Unwind().Cause(id.ID()))
	s.Poll()
	fmt.Println(s.Unwind().Cause(id.ID()))
	// Output:
	// <nil> <nil>
	// client disconnected
}

// Inspect only looks.
func ExampleCore_Inspect() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.SpawnWith(1, scheduler.Options{Name: "reader"})
	fmt.Println(s.Inspect().Name(id.ID()), "is", s.Inspect().State(id.ID()))
	// Output: reader is runnable
}

// Ops begins and completes operations that devices carry out.
func ExampleCore_Ops() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	token, _ := s.Ops().Submit()
	s.Ops().Complete(token, ioqueue.Completion{Err: errors.New("connection reset")})
	completion, done := s.Ops().Completion(token)
	fmt.Println(completion.Err, done)
	// Output: connection reset true
}

// Start gives the token of an operation to the device that carries it out. The same code waits for
// it in a fiber and in the callee of a native call.
func ExampleOps_Start() {
	s := scheduler.New[*scheduler.Operation](scheduler.Config{})
	_, _ = s.Spawn(nil)
	_ = s.Run(context.Background(), scheduler.MachineFunc[*scheduler.Operation](
		func(s *scheduler.Scheduler[*scheduler.Operation], f *scheduler.Fiber[*scheduler.Operation]) fiber.Outcome {
			if f.Data != nil { // the second slice
				s.Claim()
				fmt.Println(f.Data.Result())
				return fiber.Outcome{Kind: fiber.Done}
			}
			o, err := s.Ops().Start(func(token fiber.Token) error {
				go s.Inbox().Complete(token, ioqueue.Completion{Value: "200 OK"}) // a device
				return nil
			})
			if err != nil {
				return s.Unwind().Fail(err, "program.txt:3")
			}
			f.Data = &o
			o.Arm(fiber.Never)
			return fiber.Outcome{Kind: fiber.Block}
		}))
	// Output: 200 OK <nil>
}

// Steps has what a loop of the host's own does when no fiber is ready.
func ExampleCore_Steps() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.Finish(fiber.BlockOn(fiber.Until(1000)))
	verdict := s.Steps().IdleVerdict()
	fmt.Println(verdict.Kind, "until", verdict.Until)
	// Output: waiting until 1µs
}

// Unwind runs the deferred calls of a guest that panics.
func ExampleCore_Unwind() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.Unwind().BeginPanic(panicstate.Recoverable, "index out of range", "program.txt:3")
	s.Unwind().Panics().NextDefer() // none is registered
	fmt.Println(s.KillCurrent())
	// Output: <nil> program.txt:3: panic: index out of range
}

// Moves takes a fiber out of one scheduler and into another.
func ExampleScheduler_Moves() {
	from := scheduler.New[string](scheduler.Config{Number: 1})
	to := scheduler.New[string](scheduler.Config{Number: 2})
	id, _ := from.SpawnWith("traveller", scheduler.Options{Movable: true})
	moved, _ := from.Moves().MoveOut(id)
	_, _ = to.Moves().MoveIn(moved)
	to.Poll()
	fmt.Println(to.ScheduleNext().Data, from.Inspect().Live(), to.Inspect().Live())
	// Output: traveller 0 1
}
