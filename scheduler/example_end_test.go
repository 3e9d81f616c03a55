package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

// The end of a fiber reports the result that was set last.
func ExampleCore_SetResult() {
	s := scheduler.New[int](scheduler.Config{})
	end := new(ioqueue.Cell)
	_, _ = s.SpawnWith(20, scheduler.Options{Cell: end})
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](
		func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			s.SetResult(f.Data+1, nil)
			return fiber.Outcome{Kind: fiber.Done}
		}))
	fmt.Println(end.Result())
	// Output: 21 <nil> true
}

// Exit ends the fiber that runs, for a host with a loop of its own.
func ExampleCore_Exit() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	fmt.Println(s.Exit("done", nil))
	fmt.Println(s.Inspect().State(id.ID()))
	// Output:
	// done <nil>
	// dead
}

// KillCurrent is the normal end of a fiber; it returns what the fiber ended with.
func ExampleCore_KillCurrent() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.SetResult(nil, errors.New("file not found"))
	fmt.Println(s.KillCurrent())
	// Output: <nil> file not found
}

// A cancellation ends the wait of a fiber, which then unwinds.
func ExampleCore_Cancel() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	fmt.Println(s.Cancel(id.ID(), errors.New("client disconnected")))

	s.Poll()
	s.ScheduleNext()
	_, result := s.Claim()
	fmt.Println(result.Code, "because:", s.Unwind().Cause(id.ID()))
	// Output:
	// <nil>
	// cancelled because: client disconnected
}

// A kill runs no deferred calls: a blocked fiber is dead at once.
func ExampleCore_Kill() {
	s := scheduler.New[int](scheduler.Config{})
	end := new(ioqueue.Cell)
	id, _ := s.SpawnWith(1, scheduler.Options{Cell: end})
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	fmt.Println(s.Kill(id.ID(), errors.New("out of memory")))
	_, err, _ := end.Result()
	fmt.Println(err, errors.Is(err, scheduler.ErrKilled))
	// Output:
	// <nil>
	// scheduler: fiber killed: out of memory true
}

// A machine asks once a slice whether its fiber has to end.
func ExampleCore_TakeInterrupt() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	fmt.Println(s.TakeInterrupt())
	_ = s.Cancel(id.ID(), errors.New("client disconnected"))
	fmt.Println(s.TakeInterrupt())
	fmt.Println(s.TakeInterrupt()) // a cancellation is reported once
	// Output:
	// pending <nil>
	// cancelled client disconnected
	// pending <nil>
}

// A guest without deferred calls ends by one call when it is cancelled.
func ExampleUnwind_Stop() {
	s := scheduler.New[int](scheduler.Config{})
	end := new(ioqueue.Cell)
	id, _ := s.SpawnWith(0, scheduler.Options{Cell: end})
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](
		func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
			if _, result := s.Claim(); result.Code == fiber.Cancelled {
				return s.Unwind().Stop("program.txt:3")
			}
			_ = s.Inbox().Cancel(id.ID(), errors.New("client disconnected"))
			return fiber.BlockOn(fiber.Until(1000))
		}))
	fmt.Println(end.Result())
	// Output: <nil> client disconnected true
}
