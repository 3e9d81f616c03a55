package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
)

// Native code calls the guest: the call is the executing context until it is released. Package
// trampoline makes such calls.
func ExampleCore_AcquireTrampoline() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	call, err := s.AcquireTrampoline()
	fmt.Println(call, err, "executes", s.Inspect().Executing(), "for", s.Current())
	s.ReleaseTrampoline(call)
	// Output: t0.1 <nil> executes t0.1 for f0.1
}

// Calls end in reverse order.
func ExampleCore_ReleaseTrampoline() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	s.Poll()
	s.ScheduleNext()
	outer, _ := s.AcquireTrampoline()
	inner, _ := s.AcquireTrampoline()
	s.ReleaseTrampoline(inner)
	fmt.Println(s.Inspect().Executing())
	s.ReleaseTrampoline(outer)
	fmt.Println(s.Inspect().Executing())
	// Output:
	// t0.1
	// f0.1
}

// How the native calls of a fiber wait is an option of its Spawn.
func ExampleScheduler_Calls() {
	s := scheduler.New[int](scheduler.Config{})
	_, _ = s.Spawn(1)
	_, _ = s.SpawnWith(2, scheduler.Options{Nests: true})
	s.Poll()
	for range 2 {
		fmt.Println(s.ScheduleNext().Data, "nests:", s.Calls().Nests())
		s.YieldCurrent()
	}
	// Output:
	// 1 nests: false
	// 2 nests: true
}
