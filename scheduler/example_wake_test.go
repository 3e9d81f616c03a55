package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// A channel decides which fiber a value is for; Apply wakes that fiber.
func ExampleCore_Apply() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	ch := wait.NewChan[string](0)
	_ = ch.ParkRecv(s.ArmOn(ch.Source()), 0)
	s.Block()

	_, wake, _ := ch.TrySend("hello")
	fmt.Println(s.Apply(wake))
	// Output: woken
}

// A ticket wakes its wait once. Later deliveries change nothing.
func ExampleCore_Deliver() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	ticket, _ := s.BlockForQueue()
	for range 2 {
		fmt.Println(s.Deliver(ticket, fiber.Result{Code: fiber.OK}))
	}
	// Output:
	// woken
	// stale
}

// Code of the owner that knows that a fiber is blocked wakes it by its ID.
func ExampleCore_Wake() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	s.Wake(id.ID())
	fmt.Println(s.Inspect().State(id.ID()))
	// Output: runnable
}
