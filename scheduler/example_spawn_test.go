package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// The payload is what the host stores with each fiber; here it is a name.
func ExampleNew() {
	s := scheduler.New[string](scheduler.Config{MaxFibers: 2})
	for _, name := range []string{"a", "b", "c"} {
		_, err := s.Spawn(name)
		fmt.Println(name, errors.Is(err, scheduler.ErrTooManyFibers))
	}
	// Output:
	// a false
	// b false
	// c true
}

// Fibers run in the order in which they were spawned.
func ExampleScheduler_Spawn() {
	s := scheduler.New[string](scheduler.Config{})
	for _, name := range []string{"a", "b"} {
		id, err := s.Spawn(name)
		fmt.Println(id, err)
	}
	_ = s.Run(context.Background(), scheduler.MachineFunc[string](
		func(_ *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
			fmt.Println("run", f.Data)
			return fiber.Outcome{Kind: fiber.Done}
		}))
	// Output:
	// f0.1 <nil>
	// f1.1 <nil>
	// run a
	// run b
}

// A fiber with a name, which runs before the others and leaves its result in a cell.
func ExampleScheduler_SpawnWith() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	end := new(ioqueue.Cell)
	id, err := s.SpawnWith(2, scheduler.Options{Name: "urgent", Front: true, Cell: end})
	fmt.Println(s.Inspect().Name(id.ID()), err)

	s.Poll()
	fmt.Println("runs first:", s.ScheduleNext().Data)
	_, _ = s.Exit("done", nil)
	fmt.Println(end.Result())
	// Output:
	// urgent <nil>
	// runs first: 2
	// done <nil> true
}

// The newest child runs first, and any of them may move to another scheduler.
func ExampleScheduler_Fork() {
	s := scheduler.New[string](scheduler.Config{})
	_, _ = s.Fork("old")
	newest, _ := s.Fork("new")
	s.Poll()
	fmt.Println("runs first:", s.ScheduleNext().Data)
	s.YieldCurrent()
	_, err := s.Moves().MoveOut(newest)
	fmt.Println("moves:", err == nil)
	// Output:
	// runs first: new
	// moves: true
}

// Another goroutine spawns a fiber and waits for its result.
func ExampleScheduler_Start() {
	s := scheduler.New[int](scheduler.Config{})
	open := s.Inbox().NewSender() // the run goes on until it is closed
	go func() {
		defer open.Close()
		handle, err := s.Start(21, scheduler.Options{})
		if err != nil {
			return // the scheduler is closed, or its inbox full
		}
		fmt.Println(handle.Result(context.Background()))
	}()
	err := s.Run(context.Background(), scheduler.MachineFunc[int](
		func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			s.SetResult(2*f.Data, nil)
			return fiber.Outcome{Kind: fiber.Done}
		}))
	fmt.Println(err)
	// Output:
	// 42 <nil>
	// <nil>
}

// The payload of a fiber that does not run.
func ExampleScheduler_Fiber() {
	s := scheduler.New[[]string](scheduler.Config{})
	id, _ := s.Spawn([]string{"sleep", "send"})
	if f, alive := s.Fiber(id); alive {
		f.Data = append(f.Data, "end")
		fmt.Println(f.Data)
	}
	_ = s.Kill(id.ID(), nil)
	s.Poll()
	s.ScheduleNext() // the killed fiber ends when its turn comes
	_, alive := s.Fiber(id)
	fmt.Println(alive)
	// Output:
	// [sleep send end]
	// false
}
