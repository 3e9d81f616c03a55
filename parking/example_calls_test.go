package parking_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// sleeper is guest code that sleeps once.
func sleeper(s *scheduler.Scheduler[string]) trampoline.CalleeFunc {
	slept := false
	return func() fiber.Outcome {
		if !slept {
			slept = true
			return fiber.BlockOn(fiber.Until(s.Now().After(5)))
		}
		if _, result := s.Claim(); result.Code == fiber.Cancelled {
			return s.Unwind().Stop("guest.txt:2")
		}
		return fiber.Outcome{Kind: fiber.Done}
	}
}

// New wraps the machine of the guest; the scheduler runs the wrapper.
func ExampleNew() {
	s := scheduler.New[string](scheduler.Config{})
	guest := scheduler.MachineFunc[string](func(_ *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		fmt.Println("guest code of", f.Data)
		return fiber.Outcome{Kind: fiber.Done}
	})
	machine := parking.New(s, guest)
	defer machine.Close()
	_, _ = s.Spawn("a fiber without native code")
	fmt.Println(s.Run(context.Background(), machine))
	// Output:
	// guest code of a fiber without native code
	// <nil>
}

// Native code that returns the zero Outcome gives way to the guest's code behind the call.
func ExampleMachine_Run() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	guest := scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		if f.Data == "call" {
			f.Data = "behind the call"
			o := native.Run(func() fiber.Outcome {
				fmt.Println("native code")
				return fiber.Outcome{}
			})
			if o.Kind != 0 {
				return o // native code waits
			}
		}
		fmt.Println(f.Data)
		return fiber.Outcome{Kind: fiber.Done}
	})
	native = parking.New(s, guest)
	defer native.Close()
	_, _ = s.Spawn("call")
	_ = s.Run(context.Background(), native)
	// Output:
	// native code
	// behind the call
}

// Calls of two fibers wait at the same time. A call that fails is passed on by Fail; here the
// callee of the second fiber is cancelled.
func ExampleMachine_Call() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	guest := scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			if err := native.Call(sleeper(s)); err != nil {
				return s.Unwind().Fail(err, "native code")
			}
			fmt.Println(f.Data, "returns at", s.Now())
			return fiber.Outcome{Kind: fiber.Done}
		})
	})
	native = parking.New(s, guest)
	defer native.Close()
	_, _ = s.Spawn("the first")
	second, _ := s.SpawnWith("the second", scheduler.Options{
		Ended: func(_ any, err error) { fmt.Println("the second ends:", err) },
	})
	_ = s.Inbox().Do(func() { _ = s.Cancel(second.ID(), errors.New("client disconnected")) })
	fmt.Println(s.Run(context.Background(), native))
	// Output:
	// the second ends: client disconnected
	// the first returns at 5ns
	// <nil>
}

// The calls in flight, for reports and for the check at the end.
func ExampleMachine_Calls() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	native = parking.New(s, scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], _ *scheduler.Fiber[string]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			_ = native.Call(trampoline.CalleeFunc(func() fiber.Outcome {
				fmt.Println(native.Calls().InFlight(), "in flight")
				return fiber.Outcome{Kind: fiber.Done}
			}))
			return fiber.Outcome{Kind: fiber.Done}
		})
	}))
	defer native.Close()
	_, _ = s.Spawn("calls")
	_ = s.Run(context.Background(), native)
	fmt.Println(native.Calls().Check())
	// Output:
	// 1 in flight
	// <nil>
}

// A loop of the host's own resumes fibers by the wrapper, as Run does.
func ExampleMachine_Resume() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	native = parking.New(s, scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], _ *scheduler.Fiber[string]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			_ = native.Call(sleeper(s))
			return fiber.Outcome{Kind: fiber.Done}
		})
	}))
	defer native.Close()
	_, _ = s.Spawn("calls")
	s.Poll()
	o := native.Resume(s, s.ScheduleNext())
	fmt.Println(o)
	s.Finish(o)
	// Output: block(timer(5ns))
}

// Native code waits itself. Its fiber has frames of its own, which a kill unwinds.
func ExampleMachine_Suspend() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	native = parking.New(s, scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], _ *scheduler.Fiber[string]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			err := native.Suspend(fiber.BlockOn(fiber.Until(5)))
			_, result := s.Claim()
			fmt.Println(result.Code, err, "at", s.Now())
			return fiber.Outcome{Kind: fiber.Done}
		})
	}))
	defer native.Close()
	_, _ = s.SpawnWith("waits", scheduler.Options{Frames: true})
	_ = s.Run(context.Background(), native)
	// Output: ok <nil> at 5ns
}

// Await is Suspend for a wait that is armed, with its result.
func ExampleMachine_Await() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	native = parking.New(s, scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], _ *scheduler.Fiber[string]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			s.Arm(fiber.Until(5))
			_, result, err := native.Await()
			if err != nil { // the fiber was cancelled or killed
				return s.Unwind().Fail(err, "native code")
			}
			fmt.Println(result.Code, "at", s.Now())
			return fiber.Outcome{Kind: fiber.Done}
		})
	}))
	defer native.Close()
	_, _ = s.SpawnWith("waits", scheduler.Options{Frames: true})
	_ = s.Run(context.Background(), native)
	// Output: ok at 5ns
}

// Close lets native code that waits return, with the error of its call.
func ExampleMachine_Close() {
	s := scheduler.New[string](scheduler.Config{})
	var native *parking.Machine[string]
	native = parking.New(s, scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], _ *scheduler.Fiber[string]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			defer fmt.Println("native code closes its files")
			if err := native.Call(sleeper(s)); err != nil {
				return s.Unwind().Fail(err, "native code")
			}
			return fiber.Outcome{Kind: fiber.Done}
		})
	}))
	_, _ = s.Spawn("calls")
	s.Poll()
	s.Finish(native.Resume(s, s.ScheduleNext())) // it waits
	native.Close()
	fmt.Println(s.Inspect().Live(), "live")
	// Output:
	// native code closes its files
	// 0 live
}
