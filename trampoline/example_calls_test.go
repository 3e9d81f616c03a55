package trampoline_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// nestingFiber returns a scheduler whose only fiber runs, with native code on the driving stack, and
// the pool of its calls.
func nestingFiber() (*scheduler.Scheduler[int], *trampoline.Pool[int]) {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.SpawnWith(0, scheduler.Options{Nests: true})
	s.Poll()
	s.ScheduleNext()
	return s, trampoline.New(s, scheduler.MachineFunc[int](
		func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
			return fiber.Outcome{Kind: fiber.Done}
		}))
}

// A Call has the ID of its trampoline, which is the executing context.
func ExampleCall_ID() {
	s, calls := nestingFiber()
	call, _ := calls.Enter(trampoline.Nesting, nil)
	defer call.Leave()
	fmt.Println(call.ID(), call.ID().ID() == s.Inspect().Executing())
	// Output: t0.1 true
}

// A Call that was left has no way any more.
func ExampleCall_Way() {
	_, calls := nestingFiber()
	call, _ := calls.Enter(trampoline.Nesting, nil)
	fmt.Println(call.Way())
	call.Leave()
	fmt.Println(call.Way() == 0)
	// Output:
	// nesting
	// true
}

// The callee is native code itself: it waits by Suspend and claims the result.
func ExampleCall_Suspend() {
	s, calls := nestingFiber()
	call, _ := calls.Enter(trampoline.Nesting, nil)
	defer call.Leave()
	err := call.Suspend(fiber.BlockOn(fiber.Until(5)))
	_, result := s.Claim()
	fmt.Println(result.Code, err, "at", s.Now())
	// Output: ok <nil> at 5ns
}

// Leave ends the call; a wait that its callee has armed is taken back.
func ExampleCall_Leave() {
	s, calls := nestingFiber()
	call, _ := calls.Enter(trampoline.Nesting, nil)
	ticket := s.ArmForQueue()
	call.Leave()
	fmt.Println(calls.InFlight(), s.Deliver(ticket, fiber.Result{Code: fiber.OK}))
	// Output: 0 gone
}

// Enter names the way in which the call waits.
func ExamplePool_Enter() {
	s, calls := nestingFiber()
	call, err := calls.Enter(trampoline.Nesting, nil)
	fmt.Println(call.Way(), err, s.Inspect().Executing())
	call.Leave()
	fmt.Println(s.Inspect().Executing())
	// Output:
	// nesting <nil> t0.1
	// f0.1
}

// InFlight counts the calls that were entered and not left.
func ExamplePool_InFlight() {
	_, calls := nestingFiber()
	outer, _ := calls.Enter(trampoline.Nesting, nil)
	inner, _ := calls.Enter(trampoline.Nesting, nil)
	fmt.Println(calls.InFlight())
	inner.Leave()
	outer.Leave()
	fmt.Println(calls.InFlight())
	// Output:
	// 2
	// 0
}

// A host checks at its end that native code has left each call.
func ExamplePool_Check() {
	_, calls := nestingFiber()
	call, _ := calls.Enter(trampoline.Nesting, nil)
	fmt.Println(calls.Check())
	call.Leave()
	fmt.Println(calls.Check())
	// Output:
	// trampoline: 1 calls were not left: t0.1
	// <nil>
}

// The machine that the Pool is made with runs the other fibers while a nested call waits.
func ExampleNew() {
	s := scheduler.New[string](scheduler.Config{})
	var calls *trampoline.Pool[string]
	machine := scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		if f.Data == "caller" {
			yielded := false
			_ = calls.Nest(trampoline.CalleeFunc(func() fiber.Outcome {
				if yielded {
					return fiber.Outcome{Kind: fiber.Done}
				}
				yielded = true
				return fiber.Outcome{Kind: fiber.TimesliceExpired}
			}))
		}
		fmt.Println(f.Data, "ends")
		return fiber.Outcome{Kind: fiber.Done}
	})
	calls = trampoline.New(s, machine)
	_, _ = s.SpawnWith("caller", scheduler.Options{Nests: true})
	_, _ = s.Spawn("other")
	fmt.Println(s.Run(context.Background(), machine))
	// Output:
	// other ends
	// caller ends
	// <nil>
}

func ExampleWay_String() {
	fmt.Println(trampoline.ExitAndReenter.String())
	// Output: exit and re-enter
}

func ExampleCalleeFunc_Step() {
	callee := trampoline.CalleeFunc(func() fiber.Outcome {
		fmt.Println("the guest runs")
		return fiber.Outcome{Kind: fiber.Done}
	})
	fmt.Println(callee.Step())
	// Output:
	// the guest runs
	// done
}

func ExampleLeakError_Error() {
	leak := &trampoline.LeakError{Calls: []fiber.TrampolineID{fiber.NewTrampolineID(3, 1), fiber.NewTrampolineID(5, 2)}}
	fmt.Println(leak.Error())
	// Output: trampoline: 2 calls were not left: t3.1, t5.2
}
