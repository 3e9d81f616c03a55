package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// A call the host must not make panics with the rule, the mistake and the fix, and
// has changed nothing.
func ExampleContractError() {
	s := scheduler.New[int](scheduler.Config{})
	defer func() {
		var e *scheduler.ContractError
		if err, ok := recover().(error); ok && errors.As(err, &e) {
			fmt.Println(e.Op, "breaks", e.Rule)
			fmt.Println(e.Fix)
		}
	}()
	s.YieldCurrent()
	// Output:
	// YieldCurrent breaks I2
	// only a Running root that has no wait armed can yield: Disarm or Block first, call it once a slice
}

// A violation is a bug of the library: log it whole and give the scheduler up.
func ExampleInvariantError() {
	report := func(panicked any) {
		var e *scheduler.InvariantError
		if err, ok := panicked.(error); ok && errors.As(err, &e) {
			fmt.Println(e)
		}
	}
	report(&scheduler.InvariantError{Rule: 1, Op: op.Next, Found: "f3 is in the ready queue but blocked"})
	// Output: scheduler: rule I1 (docs/invariants.md#i1) violated in ScheduleNext: f3 is in the ready queue but blocked (a bug in the scheduler; it is poisoned)
}

func ExamplePanicError() {
	cause := errors.New("index out of range")
	err := error(&scheduler.PanicError{Value: cause, Site: "sieve.lua:12"})
	fmt.Println(err)
	fmt.Println(errors.Is(err, cause))
	// Output:
	// sieve.lua:12: panic: index out of range
	// true
}

func ExampleOp() {
	s := scheduler.New[int](scheduler.Config{
		Observer: func(t scheduler.Transition) { fmt.Println(t.Op) },
	})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.YieldCurrent()
	s.Poll()
	// Output:
	// Spawn
	// ScheduleNext
	// YieldCurrent
}

// Every error looks back on the transitions that led to it.
func ExampleEvent() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	defer func() {
		e := recover().(*scheduler.ContractError)
		for _, event := range e.Recent() {
			fmt.Printf("%v: %v → %v\n", event.Op, event.From, event.To)
		}
	}()
	s.YieldCurrent()
	// Output:
	// Spawn: dead → runnable
	// Block: running → blocked
}

func ExampleVerdictKind() {
	fmt.Println(scheduler.Busy, scheduler.Done, scheduler.Waiting, scheduler.Deadlock)
	// Output: busy done waiting deadlock
}

// A scheduler that has nothing to run says what it waits for.
func ExampleVerdict() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.Arm(fiber.Until(1500))
	s.Block()
	v := s.Steps().IdleVerdictWithReport()
	fmt.Println(v.Kind, "until", v.Until)
	// Output: waiting until 1.5µs
}

// philosophers block on the end of their neighbour.
func philosophers() *scheduler.Scheduler[int] {
	s := scheduler.New[int](scheduler.Config{})
	ends := [2]*ioqueue.Cell{new(ioqueue.Cell), new(ioqueue.Cell)}
	for n, name := range []string{"plato", "kant"} {
		s.SpawnWith(n, scheduler.Options{Name: name, Cell: ends[n]})
	}
	for s.Poll() {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			neighbour := ends[1-f.Data]
			_ = neighbour.Park(s.Arm(fiber.OnQueue(), neighbour.Source()), 0)
			s.Block()
		}
	}
	return s
}

func ExampleDeadlockError() {
	s := philosophers()
	err := s.Run(context.Background(), double) // no fiber is ready
	var deadlock *scheduler.DeadlockError
	fmt.Println(errors.As(err, &deadlock))
	fmt.Println(err)
	// Output:
	// true
	// deadlock: all 2 fibers are blocked and nothing can wake them
	//   f0.1 "plato" waits on the end of f1.1; could be woken by f1.1 "kant"
	//   f1.1 "kant" waits on the end of f0.1; could be woken by f0.1 "plato"
	// cycle: f0.1 → f1.1 → f0.1
}

func ExampleReport() {
	report := philosophers().Inspect().Report()
	fmt.Println(len(report.Fibers), "blocked, cycle:", report.Cycle)
	// Output: 2 blocked, cycle: [f0.1 f1.1]
}

func ExampleBlockedFiber() {
	kant := philosophers().Inspect().Report().Fibers[1]
	fmt.Println(kant.Name, "waits for", kant.Reason, "on", kant.On, "held by", kant.Holders)
	// Output: kant waits for queue on [the end of f0.1] held by [f0.1]
}

func ExampleUnobservedError() {
	s := scheduler.New[int](scheduler.Config{
		Unobserved: func(e *scheduler.UnobservedError) { fmt.Println(e) },
	})
	s.SpawnWith(0, scheduler.Options{Name: "loader"})
	s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		s.SetResult(nil, errors.New("disk full"))
		return fiber.Outcome{Kind: fiber.Done}
	}))
	// Output: fiber f0.1 "loader" failed and nothing joined it: disk full
}
