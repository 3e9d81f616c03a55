package trampoline_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// jit is machine code that keeps its state itself: when a call of it waits it returns the
// outcome, and it is entered again where it was left.
type jit struct {
	calls *trampoline.Pool[*jit]
	call  trampoline.Reentry[*jit]
	guest trampoline.Callee
}

// Resume enters the machine code. It is the machine of the scheduler.
func (*jit) Resume(_ *scheduler.Scheduler[*jit], f *scheduler.Fiber[*jit]) fiber.Outcome {
	code := f.Data
	if !code.call.InFlight() {
		fmt.Println("machine code calls the guest")
		code.call, _ = code.calls.Reenter()
	}
	o, err := code.call.Run(code.guest)
	if !o.Ends() {
		fmt.Println("machine code exits with", o)
		return o
	}
	fmt.Println("the call is over:", err)
	return fiber.Outcome{Kind: fiber.Done}
}

// A call that waits, in the way to recommend to authors of a JIT.
func ExampleReentry() {
	s := scheduler.New[*jit](scheduler.Config{})
	slept := false
	guest := trampoline.CalleeFunc(func() fiber.Outcome {
		if !slept {
			slept = true
			return fiber.BlockOn(fiber.Until(s.Now().After(5)))
		}
		_, result := s.Claim()
		fmt.Println("the guest slept:", result.Code)
		return fiber.Outcome{Kind: fiber.Done}
	})
	code := &jit{guest: guest}
	code.calls = trampoline.New(s, code)
	_, _ = s.Spawn(code)
	fmt.Println(s.Run(context.Background(), code))
	// Output:
	// machine code calls the guest
	// machine code exits with block(timer(5ns))
	// the guest slept: ok
	// the call is over: <nil>
	// <nil>
}

// callback is a stack that stands on frames of a foreign runtime: it can neither be
// suspended nor run others above it.
type callback struct{}

func (callback) Allows(trampoline.Way) bool { return false }
func (callback) Park(fiber.Outcome)         {}

func ExampleStack() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	err := trampoline.New(s, nil).Park(callback{}, trampoline.CalleeFunc(func() fiber.Outcome { return fiber.Outcome{Kind: fiber.Done} }))
	fmt.Println(err)
	// Output: trampoline: the stack stands on foreign frames and can neither park nor nest here; use a goroutine-backed fiber
}

// A host looks for calls that native code has forgotten to leave.
func ExamplePool() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	calls := trampoline.New(s, nil)
	call, _ := calls.Reenter()
	fmt.Println(calls.InFlight(), calls.Check())
	call.Leave()
	fmt.Println(calls.InFlight(), calls.Check())
	// Output:
	// 1 trampoline: 1 calls were not left: t0.1
	// 0 <nil>
}

func ExampleCalleeFunc() {
	var callee trampoline.Callee = trampoline.CalleeFunc(func() fiber.Outcome {
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	})
	fmt.Println(callee.Step())
	// Output: timeslice-expired
}

// A call whose callee is native code itself names its way, waits by Suspend, and ends by Leave.
func ExampleCall() {
	s := scheduler.New[int](scheduler.Config{})
	var calls *trampoline.Pool[int]
	machine := scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
		if f.Data == 0 {
			call, err := calls.Enter(trampoline.Nesting, nil)
			fmt.Println(call.Way(), err)
			_ = call.Suspend(fiber.BlockOn(fiber.Until(5)))
			s.Claim()
			call.Leave()
		}
		fmt.Println("fiber", f.Data, "ends at", s.Now())
		return fiber.Outcome{Kind: fiber.Done}
	})
	calls = trampoline.New(s, machine)
	for n := range 2 {
		_, _ = s.SpawnWith(n, scheduler.Options{Nests: true})
	}
	fmt.Println(s.Run(context.Background(), machine))
	// Output:
	// nesting <nil>
	// fiber 1 ends at 0s
	// fiber 0 ends at 5ns
	// <nil>
}

func ExampleWay() {
	for way := trampoline.ExitAndReenter; way <= trampoline.Nesting; way++ {
		fmt.Println(way)
	}
	// Output:
	// exit and re-enter
	// parking
	// nesting
}

func ExampleLeakError() {
	id := fiber.NewTrampolineID(3, 1)
	fmt.Println(&trampoline.LeakError{Calls: []fiber.TrampolineID{id}})
	// Output: trampoline: 1 calls were not left: t3.1
}

// counter is a callee that has used up its slice twice before it is done.
type counter int

func (c *counter) Step() fiber.Outcome {
	if *c++; *c < 3 {
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
	return fiber.Outcome{Kind: fiber.Done}
}

func ExampleCallee() {
	var callee trampoline.Callee = new(counter)
	for o := callee.Step(); ; o = callee.Step() {
		fmt.Println(o)
		if o.Ends() {
			break
		}
	}
	// Output:
	// timeslice-expired
	// timeslice-expired
	// done
}
