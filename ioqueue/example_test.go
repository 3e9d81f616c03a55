package ioqueue_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

var reader = fiber.NewRegularID(1, 1)

// runs calls step in the slices of one fiber until it returns true.
func runs(cfg scheduler.Config, step func(s *scheduler.Scheduler[int]) (end bool)) *scheduler.Scheduler[int] {
	s := scheduler.New[int](cfg)
	_, _ = s.Spawn(0)
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		if !step(s) {
			s.YieldCurrent()
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		return fiber.Outcome{Kind: fiber.Done}
	}))
	return s
}

// A late, repeated or unknown completion has a verdict and no other effect.
func ExampleVerdict() {
	runs(scheduler.Config{}, func(s *scheduler.Scheduler[int]) bool {
		token, _ := s.Ops().Submit()
		for _, t := range []fiber.Token{token, token, 12345} {
			fmt.Println(s.Ops().Complete(t, ioqueue.Completion{}))
		}
		return true
	})
	// Output:
	// early
	// duplicate
	// unknown
}

// The result of an operation whose fiber has ended is given to the hook, which can close
// what it holds.
func ExampleCompletion() {
	var token fiber.Token
	s := runs(scheduler.Config{Dropped: func(_ fiber.Token, c ioqueue.Completion) { fmt.Println("close", c.Value) }},
		func(s *scheduler.Scheduler[int]) bool {
			token, _ = s.Ops().Submit()
			return true
		})
	s.Ops().Complete(token, ioqueue.Completion{Value: "connection 7"})
	// Output: close connection 7
}

// Every token ends exactly once.
func ExampleCounters() {
	s := runs(scheduler.Config{}, func(s *scheduler.Scheduler[int]) bool {
		_, _ = s.Ops().Submit()
		second, _ := s.Ops().Submit()
		s.Ops().Complete(second, ioqueue.Completion{})
		return true
	})
	c := s.Ops().Counters()
	fmt.Println(c.Submitted, c.Completed, c.Abandoned)
	// Output: 2 1 1
}

// A fiber that finds every token in use arms a wait for room.
func ExampleRoom() {
	runs(scheduler.Config{MaxTokens: 1}, func(s *scheduler.Scheduler[int]) bool {
		first, _ := s.Ops().Submit()
		_, err := s.Ops().Submit()
		fmt.Println(errors.Is(err, ioqueue.ErrFull))

		room := s.Ops().Room()
		ticket := s.ArmOn(room.Source())
		_ = room.Park(ticket, 0)
		s.Ops().Complete(first, ioqueue.Completion{})
		_, _ = s.Ops().Completion(first)
		_, reserved := s.Disarm()
		_, err = s.Ops().SubmitReserved(ticket)
		fmt.Println(reserved, err)
		return true
	})
	// Output:
	// true
	// true <nil>
}

// A cell is completed once and wakes all fibers that wait for it.
func ExampleCell() {
	var join ioqueue.Cell
	join.SetOwner(reader.ID())
	fmt.Println(join.Source().(fiber.Described).Describe())
	join.Park(fiber.Ticket{ID: fiber.NewRegularID(2, 1).ID(), Seq: 1}, 0)

	woken, _ := join.Complete(nil, errors.New("no such file"), nil)
	_, err, _ := join.Result()
	fmt.Println(woken[0].Ticket, "reads:", err)
	// Output:
	// the end of f1.1
	// f2.1#1 reads: no such file
}
