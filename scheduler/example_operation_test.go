package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// The guest's code waits for an operation, and gets the value that its device gave.
func ExampleOperation() {
	s := scheduler.New[func() fiber.Outcome](scheduler.Config{})
	var o scheduler.Operation
	code := func() fiber.Outcome {
		s.Claim()
		fmt.Println(o.Result())
		return fiber.Outcome{Kind: fiber.Done}
	}
	begin := func() fiber.Outcome {
		o, _ = s.Ops().Start(func(tok fiber.Token) error {
			go s.Inbox().Complete(tok, ioqueue.Completion{Value: "200 OK"}) // a device
			return nil
		})
		o.Arm(fiber.Never)
		return fiber.Outcome{Kind: fiber.Block}
	}
	_, _ = s.Spawn(begin)
	err := s.Run(context.Background(), scheduler.MachineFunc[func() fiber.Outcome](
		func(_ *scheduler.Scheduler[func() fiber.Outcome], f *scheduler.Fiber[func() fiber.Outcome]) fiber.Outcome {
			do := f.Data
			f.Data = code
			return do()
		}))
	fmt.Println(err)
	// Output:
	// 200 OK <nil>
	// <nil>
}

// A guest without deferred calls fails by one call.
func ExampleUnwind_Fail() {
	s := scheduler.New[int](scheduler.Config{Unobserved: func(err *scheduler.UnobservedError) { fmt.Println(err) }})
	_, _ = s.Spawn(0)
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		return s.Unwind().Fail("division by zero", "program.txt:3")
	}))
	// Output: fiber f0.1 failed and nothing joined it: program.txt:3: panic: division by zero
}
