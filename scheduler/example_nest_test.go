package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// A fiber whose native frames stand on the driving stack calls back into the VM, and
// the call waits for a peer. The pump runs the peer in the meantime.
func ExampleCalls_Pump() {
	var vm scheduler.MachineFunc[string]
	var ticket fiber.Ticket
	vm = func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		if f.Data == "peer" {
			fmt.Println("the peer wakes it:", s.Deliver(ticket, fiber.Result{Code: fiber.OK}))
			return fiber.Outcome{Kind: fiber.Done}
		}
		call, _ := s.AcquireTrampoline() // native code calls back here
		defer s.ReleaseTrampoline(call)
		ticket = s.Arm(fiber.OnQueue())
		if s.Block() == scheduler.Pinned {
			fmt.Println("the call waits; its error:", s.Calls().Pump(vm))
		}
		_, result := s.Claim()
		fmt.Println("the call goes on:", result.Code)
		return fiber.Outcome{Kind: fiber.Done}
	}
	s := scheduler.New[string](scheduler.Config{})
	_, _ = s.SpawnWith("caller", scheduler.Options{Nests: true})
	_, _ = s.Spawn("peer")
	fmt.Println(s.Run(context.Background(), vm))
	// Output:
	// the peer wakes it: woken
	// the call waits; its error: <nil>
	// the call goes on: ok
	// <nil>
}

// Two calls wait on one native stack, and the lower one is woken.
func ExampleStackInversionError() {
	s := scheduler.New[int](scheduler.Config{})
	var calls []fiber.ID
	for range 2 {
		_, _ = s.SpawnWith(0, scheduler.Options{Nests: true})
		s.Poll()
		s.ScheduleNext()
		call, _ := s.AcquireTrampoline()
		s.Arm(fiber.OnQueue())
		s.Block()
		calls = append(calls, call.ID())
	}
	s.Wake(calls[0])
	var inversion *scheduler.StackInversionError
	if err := s.Calls().FailPinned(); errors.As(err, &inversion) {
		fmt.Println(err)
	}
	// Output:
	// stack inversion: t0.1 was woken but lies under t1.1, which nothing can wake, on the same native stack
	//   f0.1 waits for its native call t0.1
	//   t0.1 could go on, but lies under a pump
	//   f1.1 waits for its native call t1.1
	//   t1.1 waits on no object; no wake-up can come
}
