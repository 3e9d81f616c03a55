package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// How many deadlines are on, and the next one.
func ExampleTimerState() {
	s, _ := running(scheduler.Options{})
	for _, at := range []fiber.Time{300, 100, 200} {
		s.Arm(fiber.Until(at))
		s.Block()
		_, _ = s.Spawn(0)
		s.Poll()
		s.ScheduleNext()
	}
	on, next := s.Inspect().Timers(1, nil)
	fmt.Println(on, next[0].Fiber, next[0].Kind, next[0].Deadline)
	// Output: 3 f1.1 wait 100ns
}

// The operations that have not ended, and what their device says of them.
func ExampleOperationState() {
	s, _ := running(scheduler.Options{})
	token, _ := s.Ops().Submit()
	s.Ops().Describe(token, "read", "a.txt")
	for _, o := range s.Inspect().Operations(nil) {
		fmt.Println(o.Owner, o.State, o.What, o.Of)
	}
	// Output: f0.1 submitted read a.txt
}

// What the fibers of each Group have used, and may use.
func ExampleGroupState() {
	s, _ := running(scheduler.Options{})
	guest := s.Attachments().NewGroup(nil, "guest", quota.Limits{Steps: 100})
	_, _ = s.SpawnWith(0, scheduler.Options{Group: guest})
	_ = guest.Take(quota.Steps, 30)
	for _, g := range s.Inspect().Groups(nil) {
		fmt.Println(g.Name, g.Fibers, g.Spent.Steps, "of", g.Limits.Steps)
	}
	// Output: guest 1 30 of 100
}

// How many fibers and operations there are in which state.
func ExampleInspect_FibersByState() {
	s, _ := running(scheduler.Options{})
	_, _ = s.Spawn(0)
	_, _ = s.Ops().Submit()
	fmt.Println(s.Inspect().FibersByState())
	fmt.Println(s.Inspect().OperationsByState())
	// Output:
	// 1 0 1 0
	// 1 0 0 0
}
