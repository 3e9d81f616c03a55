package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Each program has a main fiber and one that never ends by itself. The end of a main fiber ends that
// program.
func ExampleProgram() {
	s := scheduler.New[int](scheduler.Config{})
	for i, name := range []string{"short", "long"} {
		group := s.Attachments().NewGroup(nil, name, quota.Limits{})
		group.SetProgram(&scheduler.Program{Owner: name})
		_, _ = s.SpawnWith(3*i+1, scheduler.Options{Group: group, Main: true})
		_, _ = s.SpawnWith(1000, scheduler.Options{Group: group, Ended: func(_ any, err error) { fmt.Println(name, "ends:", err) }})
	}
	err := s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
		fmt.Println(s.Inspect().Group(s.Current()).Program().Owner, f.Data)
		if f.Data--; f.Data == 0 {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}))
	fmt.Println(err)
	// Output:
	// short 1
	// short ends: scheduler: fiber killed: scheduler: the main fiber returned
	// long 4
	// long 1000
	// long 3
	// long 999
	// long 2
	// long 998
	// long 1
	// long ends: scheduler: fiber killed: scheduler: the main fiber returned
	// <nil>
}
