package trampoline_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// A fiber that has machine code begins a call.
func ExamplePool_Reenter() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext() // the fiber runs
	call, err := trampoline.New(s, nil).Reenter()
	fmt.Println(call.ID(), err)
	call.Leave()
	// Output: t0.1 <nil>
}

func ExampleReentry_ID() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext() // the fiber runs
	var call trampoline.Reentry[int]
	fmt.Println(call.ID() == 0)
	call, _ = trampoline.New(s, nil).Reenter()
	fmt.Println(call.ID(), call.ID().ID() == s.Inspect().Executing())
	call.Leave()
	// Output:
	// true
	// t0.1 true
}

// Machine code that is entered asks whether it is in a call, or has to begin one.
func ExampleReentry_InFlight() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext() // the fiber runs
	var call trampoline.Reentry[int]
	fmt.Println(call.InFlight())
	call, _ = trampoline.New(s, nil).Reenter()
	fmt.Println(call.InFlight())
	_, _ = call.Run(trampoline.CalleeFunc(func() fiber.Outcome { return fiber.Outcome{Kind: fiber.Done} }))
	fmt.Println(call.InFlight())
	// Output:
	// false
	// true
	// false
}

// Machine code exits with each outcome that does not end the call, and calls Run again when it is
// entered again.
func ExampleReentry_Run() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	calls := trampoline.New(s, nil)
	var call trampoline.Reentry[int]
	slices := 0
	guest := trampoline.CalleeFunc(func() fiber.Outcome {
		if slices++; slices < 3 {
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		return fiber.Outcome{Kind: fiber.Done}
	})
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		if !call.InFlight() {
			call, _ = calls.Reenter()
		}
		o, err := call.Run(guest)
		fmt.Println(o, err)
		switch {
		case !o.Ends():
			return o // machine code exits
		case err != nil:
			return s.Unwind().Fail(err, "machine code")
		}
		return fiber.Outcome{Kind: fiber.Done}
	}))
	// Output:
	// timeslice-expired <nil>
	// timeslice-expired <nil>
	// done <nil>
}

// A host gives up a call that its machine code will not continue.
func ExampleReentry_Leave() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext() // the fiber runs
	call, _ := trampoline.New(s, nil).Reenter()
	_, _ = call.Run(trampoline.CalleeFunc(func() fiber.Outcome { return fiber.Outcome{Kind: fiber.TimesliceExpired} }))
	call.Leave()
	fmt.Println(call.InFlight(), s.Inspect().Executing())
	// Output: false f0.1
}
