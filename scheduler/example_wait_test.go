package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// A receive with a deadline: the wait ends with whatever comes first.
func ExampleCore_Arm() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	ch := wait.NewChan[string](0)
	ticket := s.Arm(fiber.OnQueue().WithDeadline(1000), ch.Source())
	_ = ch.ParkRecv(ticket, 0)
	fmt.Println(s.Block(), "until", s.Steps().NextDeadline())
	// Output: parked until 1µs
}

// A fiber waits for a value of a channel: arm, park, block.
func ExampleCore_ArmOn() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	ch := wait.NewChan[string](0)
	ticket := s.ArmOn(ch.Source())
	_ = ch.ParkRecv(ticket, 0)
	s.Block()
	fmt.Println(s.Inspect().State(id.ID()), "for", s.Inspect().Reason(id.ID()))
	// Output: blocked for queue
}

// A wait on no object: the ticket is all that ends it.
func ExampleCore_ArmForQueue() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	ticket := s.ArmForQueue()
	fmt.Println(s.Deliver(ticket, fiber.Result{Code: fiber.OK})) // before it blocks
	fmt.Println(s.Block())
	// Output:
	// latched
	// requeued
}

// The answer of Block says whether the slice is over.
func ExampleCore_Block() {
	s := scheduler.New[string](scheduler.Config{})
	_, _ = s.Spawn("waits")
	cancelled, _ := s.Spawn("has been cancelled")
	_ = s.Cancel(cancelled.ID(), nil)
	s.Poll()
	for range 2 {
		f := s.ScheduleNext()
		s.Arm(fiber.Until(1000))
		answer := s.Block()
		fmt.Println(f.Data, "→", answer, answer.LeavesCPU())
	}
	// Output:
	// waits → parked true
	// has been cancelled → interrupted false
}

// BlockForQueue publishes its ticket after it has blocked; nothing is delivered in between.
func ExampleCore_BlockForQueue() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	ticket, answer := s.BlockForQueue()
	fmt.Println(answer)
	fmt.Println(s.Deliver(ticket, fiber.Result{Code: fiber.OK}))
	// Output:
	// parked
	// woken
}

// BlockOn blocks first and parks in the object then, which is the faster order.
func ExampleCore_BlockOn() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	ch := wait.NewChan[string](0)
	if ticket, answer := s.BlockOn(ch.Source()); answer != scheduler.Interrupted {
		_ = ch.ParkRecv(ticket, 0)
	}
	receivers, _ := ch.Waiting()
	fmt.Println(receivers, "receiver")
	// Output: 1 receiver
}

// A fiber submits an operation and blocks until the device has completed it.
func ExampleCore_BlockForIO() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	token, _ := s.Ops().Submit()
	fmt.Println(s.BlockForIO(token))
	s.Ops().Complete(token, ioqueue.Completion{N: 512}) // the device
	fmt.Println("ready:", s.Poll())
	// Output:
	// parked
	// ready: true
}

// An idle scheduler may wait if an operation that a fiber awaits is in flight.
func ExampleCore_HasIOWaiters() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	token, _ := s.Ops().Submit()
	fmt.Println(s.HasIOWaiters())
	s.BlockForIO(token)
	fmt.Println(s.HasIOWaiters())
	// Output:
	// false
	// true
}

// A fiber that runs again claims how its wait ended, and collects the value from the object.
func ExampleCore_Claim() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs
	ch := wait.NewChan[string](0)
	_ = ch.ParkRecv(s.ArmOn(ch.Source()), 0)
	s.Block()

	_, wake, _ := ch.TrySend("hello") // a peer sends
	s.Apply(wake)
	s.Poll()
	s.ScheduleNext()
	ticket, result := s.Claim()
	value, _ := ch.Collect(ticket)
	fmt.Println(result.Code, value)
	// Output: ok hello
}

// A fiber that has armed a wait changes its mind.
func ExampleCore_Disarm() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext() // the fiber runs

	ticket := s.ArmForQueue()
	_, delivered := s.Disarm()
	fmt.Println("delivered:", delivered)
	fmt.Println("too late:", s.Deliver(ticket, fiber.Result{Code: fiber.OK}))

	s.Deliver(s.ArmForQueue(), fiber.Result{Code: fiber.OK})
	result, delivered := s.Disarm() // the caller has to use the result
	fmt.Println("delivered:", delivered, result.Code)
	// Output:
	// delivered: false
	// too late: stale
	// delivered: true ok
}
