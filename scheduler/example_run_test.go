package scheduler_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// The machine runs a fiber for one slice, and its Outcome says how the slice ended.
func ExampleScheduler_Run() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(2)
	_, _ = s.Spawn(1)
	countdown := func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
		fmt.Println(s.Current(), "at", f.Data)
		if f.Data == 0 {
			return fiber.Outcome{Kind: fiber.Done}
		}
		f.Data--
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
	fmt.Println(s.Run(context.Background(), scheduler.MachineFunc[int](countdown)))
	// Output:
	// f0.1 at 2
	// f1.1 at 1
	// f0.1 at 1
	// f1.1 at 0
	// f0.1 at 0
	// <nil>
}

// A run that the caller ends kills the fibers and returns the error of its context.
func ExampleScheduler_Run_stopped() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	ctx, stop := context.WithCancel(context.Background())
	err := s.Run(ctx, scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
		stop()
		return fiber.Outcome{Kind: fiber.TimesliceExpired} // an endless loop
	}))
	fmt.Println(err, s.Inspect().Live())
	// Output: context canceled 0
}

// The end of the main fiber ends the run: the others are killed, and its error is that of Run.
func ExampleScheduler_Run_main() {
	s := scheduler.New[string](scheduler.Config{})
	_, _ = s.Spawn("serves without end")
	_, _ = s.SpawnWith("main", scheduler.Options{Main: true})
	err := s.Run(context.Background(), scheduler.MachineFunc[string](
		func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
			if f.Data == "main" {
				return s.Unwind().Fail("division by zero", "program.txt:3")
			}
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}))
	fmt.Println(err)
	fmt.Println(s.Inspect().Live(), "live")
	// Output:
	// program.txt:3: panic: division by zero
	// 0 live
}

// A loop of the host's own: the fibers that are ready run, then Poll serves the rest.
func ExampleScheduler_ScheduleNext() {
	s := scheduler.New[string](scheduler.Config{})
	for _, name := range []string{"a", "b"} {
		_, _ = s.Spawn(name)
	}
	for s.Poll() {
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			fmt.Println("run", f.Data)
			s.Finish(fiber.Outcome{Kind: fiber.Done})
		}
	}
	// Output:
	// run a
	// run b
}

// Poll reports whether a fiber is ready, after it has served timers, commands and completions.
func ExampleCore_Poll() {
	s := scheduler.New[int](scheduler.Config{})
	fmt.Println("ready:", s.Poll())
	_ = s.Inbox().Do(func() { _, _ = s.Spawn(1) }) // from any goroutine
	fmt.Println("ready:", s.Poll())
	// Output:
	// ready: false
	// ready: true
}

// Finish does what the Outcome of a slice says.
func ExampleCore_Finish() {
	s := scheduler.New[fiber.Outcome](scheduler.Config{})
	for _, o := range []fiber.Outcome{
		{Kind: fiber.TimesliceExpired},
		fiber.BlockOn(fiber.Until(5)),
		{Kind: fiber.Done},
	} {
		id, _ := s.Spawn(o)
		s.Poll()
		resume := s.Finish(s.ScheduleNext().Data)
		fmt.Println(o, "→", s.Inspect().State(id.ID()), resume)
		_ = s.Kill(id.ID(), nil)
		s.Poll()
	}
	// Output:
	// timeslice-expired → runnable false
	// block(timer(5ns)) → blocked false
	// done → dead false
}

// A fiber that yields runs again after all that are ready.
func ExampleCore_YieldCurrent() {
	s := scheduler.New[string](scheduler.Config{})
	_, _ = s.Spawn("a")
	_, _ = s.Spawn("b")
	for range 4 {
		s.Poll()
		fmt.Print(s.ScheduleNext().Data, " ")
		s.YieldCurrent()
	}
	// Output: a b a b
}

// Only a fiber in its slice is current.
func ExampleCore_Current() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	fmt.Println("in the slice:", s.Current())
	s.YieldCurrent()
	fmt.Println("behind it:", s.Current())
	// Output:
	// in the slice: f0.1
	// behind it: none
}

// Deadlines are computed from Now. Virtual time advances to the next deadline at once.
func ExampleCore_Now() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(0)
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](
		func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			fmt.Println(s.Now())
			if f.Data++; f.Data == 3 {
				return fiber.Outcome{Kind: fiber.Done}
			}
			return fiber.BlockOn(fiber.Until(s.Now().After(time.Minute)))
		}))
	// Output:
	// 0s
	// 1m0s
	// 2m0s
}

// A ready or running fiber is work; one that is blocked is not.
func ExampleCore_HasWork() {
	s := scheduler.New[int](scheduler.Config{})
	fmt.Println(s.HasWork())
	_, _ = s.Spawn(1)
	fmt.Println(s.HasWork())
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	fmt.Println(s.HasWork())
	// Output:
	// false
	// true
	// false
}

func ExampleCore_HasBlocked() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	fmt.Println(s.HasBlocked())
	s.Wake(id.ID())
	fmt.Println(s.HasBlocked())
	// Output:
	// true
	// false
}

// A closed scheduler takes no more fibers; those that it has still run.
func ExampleCore_Close() {
	s := scheduler.New[string](scheduler.Config{})
	_, _ = s.Spawn("the last")
	s.Close()
	_, err := s.Spawn("too late")
	fmt.Println(errors.Is(err, scheduler.ErrStopped))
	_ = s.Run(context.Background(), scheduler.MachineFunc[string](
		func(_ *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
			fmt.Println("run", f.Data)
			return fiber.Outcome{Kind: fiber.Done}
		}))
	// Output:
	// true
	// run the last
}
