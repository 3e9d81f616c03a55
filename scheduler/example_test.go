package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// The host owns the loop: it runs a slice, says how it ended, and polls.
func ExampleScheduler() {
	s := scheduler.New[string](scheduler.Config{})
	for _, name := range []string{"warp", "weft"} {
		if _, err := s.Spawn(name); err != nil {
			fmt.Println(err)
		}
	}
	slices := 0
	for s.Poll() {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			fmt.Println(f.Data, "runs")
			if slices++; slices <= 2 {
				s.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
			} else {
				s.Finish(fiber.Outcome{Kind: fiber.Done})
			}
		}
	}
	fmt.Println(s.Steps().IdleVerdictWithReport().Kind)
	// Output:
	// warp runs
	// weft runs
	// warp runs
	// weft runs
	// done
}

// Payloads are typed, and stay where they are as long as their fiber lives.
func ExampleFiber() {
	s := scheduler.New[[2]int](scheduler.Config{})
	id, _ := s.Spawn([2]int{3, 4})
	if f, alive := s.Fiber(id); alive {
		f.Data[0]++
		fmt.Println(f.Data)
	}
	// Output: [4 4]
}

// What does not need the payload's type takes a Core: it serves every scheduler.
func ExampleCore() {
	describe := func(c *scheduler.Core) {
		fmt.Println(c.Inspect().Live(), "alive,", c.Inspect().Blocked(), "blocked, current:", c.Current())
	}
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	describe(&s.Core)
	s.BlockForQueue()
	describe(&s.Core)
	// Output:
	// 1 alive, 0 blocked, current: f0.1
	// 1 alive, 1 blocked, current: none
}

func ExampleConfig() {
	s := scheduler.New[int](scheduler.Config{
		Number:    1, // tickets of scheduler 2 are refused
		MaxFibers: 2,
	})
	for n := range 3 {
		if _, err := s.Spawn(n); err != nil {
			fmt.Println(err)
		}
	}
	// Output: scheduler: too many fibers; raise Config.MaxFibers or wait for some to end (2 alive)
}

func ExampleOptions() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	id, _ := s.SpawnWith(2, scheduler.Options{
		Name:  "urgent",
		Front: true,
		Ended: func(result any, err error) { fmt.Println("ended with", result, err) },
	})
	s.Poll()
	fmt.Println(s.Inspect().Name(id.ID()), "runs:", s.ScheduleNext().Data)
	_, _ = s.Exit("42", nil)
	// Output:
	// urgent runs: 2
	// ended with 42 <nil>
}

// A wait is armed, published and blocked in; a delivery in between is never lost.
func ExampleBlocking() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	ticket := s.ArmForQueue()
	fmt.Println(s.Deliver(ticket, fiber.Result{Code: fiber.OK})) // before the block
	how := s.Block()
	fmt.Println(how, how.LeavesCPU())
	// Output:
	// latched
	// requeued true
}

// sleepers sleep as many nanoseconds as their payload says.
type sleepers struct{}

func (sleepers) Resume(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
	if _, result := s.Claim(); result.Code == fiber.OK {
		fmt.Println("woke at", s.Now())
		return fiber.Outcome{Kind: fiber.Done}
	}
	return fiber.BlockOn(fiber.Until(s.Now() + fiber.Time(f.Data)))
}

func ExampleMachine() {
	s := scheduler.New[int](scheduler.Config{})
	for _, ns := range []int{300, 100, 200} {
		_, _ = s.Spawn(ns)
	}
	fmt.Println(s.Run(context.Background(), sleepers{}))
	// Output:
	// woke at 100ns
	// woke at 200ns
	// woke at 300ns
	// <nil>
}

func ExampleMachineFunc() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(3)
	countdown := scheduler.MachineFunc[int](func(_ *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
		fmt.Println(f.Data)
		if f.Data--; f.Data == 0 {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	})
	_ = s.Run(context.Background(), countdown)
	// Output:
	// 3
	// 2
	// 1
}

func ExampleCounts() {
	s := scheduler.New[int](scheduler.Config{})
	for n := range 3 {
		_, _ = s.Spawn(n)
	}
	s.Poll()
	s.ScheduleNext()
	_, _ = s.KillCurrent()
	s.Steps().KillAll(nil)
	s.Poll()
	c := s.Inspect().Counts()
	fmt.Printf("%d spawned, %d ended, %d of them killed\n", c.Spawned, c.Ended, c.Killed)
	// Output: 3 spawned, 3 ended, 2 of them killed
}
