package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// double is a machine whose fibers end at once with twice their payload.
var double = scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
	s.SetResult(2*f.Data, nil)
	return fiber.Outcome{Kind: fiber.Done}
})

// Other goroutines post commands; the owner carries them out at its next poll.
func ExampleInbox() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	ticket, _ := s.BlockForQueue()
	posted := make(chan error)
	go func() { posted <- s.Inbox().Deliver(ticket, fiber.Result{Code: fiber.OK}) }()
	fmt.Println(<-posted, s.Inspect().State(ticket.ID))
	s.Poll()
	fmt.Println(s.Inspect().State(ticket.ID))
	// Output:
	// <nil> blocked
	// runnable
}

// While a Sender is open a run waits instead of reporting a deadlock, or its end.
func ExampleSender() {
	s := scheduler.New[int](scheduler.Config{})
	sender := s.Inbox().NewSender()
	go func() {
		h, _ := s.Start(21, scheduler.Options{})
		result, err := h.Result(context.Background())
		fmt.Println(result, err)
		sender.Close()
	}()
	fmt.Println(s.Run(context.Background(), double))
	// Output:
	// 42 <nil>
	// <nil>
}

// Start does not wait; the Handle collects later.
func ExampleHandle() {
	s := scheduler.New[int](scheduler.Config{})
	var handles []*scheduler.Handle
	for n := range 3 {
		h, _ := s.Start(n, scheduler.Options{})
		handles = append(handles, h)
	}
	_ = s.Run(context.Background(), double)
	for _, h := range handles {
		fmt.Println(h.Result(context.Background()))
	}
	// Output:
	// 0 <nil>
	// 2 <nil>
	// 4 <nil>
}

// stoppedClock is a clock that never moves: a fiber that sleeps on it sleeps until the run is
// called off.
type stoppedClock struct{}

func (stoppedClock) Now() fiber.Time { return 0 }

func (stoppedClock) Wait(ctx context.Context, _ fiber.Time, wakeCh <-chan struct{}) {
	select {
	case <-wakeCh:
	case <-ctx.Done():
	}
}

func ExampleClock() {
	s := scheduler.New[int](scheduler.Config{Clock: stoppedClock{}})
	_, _ = s.Spawn(1)
	ctx, cancel := context.WithCancel(context.Background())
	err := s.Run(ctx, scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		cancel()
		return fiber.BlockOn(fiber.Until(1))
	}))
	fmt.Println(err, s.Inspect().Live())
	// Output: context canceled 0
}

func ExampleVirtualClock() {
	clock := scheduler.NewVirtualClock()
	s := scheduler.New[int](scheduler.Config{Clock: clock})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.Arm(fiber.Until(1000))
	s.Block()
	for _, now := range []fiber.Time{999, 1000} {
		clock.Advance(now)
		fmt.Println(now, "ready:", s.Poll())
	}
	// Output:
	// 999ns ready: false
	// 1µs ready: true
}
