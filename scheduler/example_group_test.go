package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
	"github.com/selvage-dev/selvage/scheduler"
)

// Each slice of this machine is one step. Guest b may use three, and ends; guest a continues.
func ExampleGroup() {
	s := scheduler.New[string](scheduler.Config{})
	for name, limit := range map[string]int64{"a": 0, "b": 3} {
		guest := s.Attachments().NewGroup(nil, name, quota.Limits{Steps: limit})
		_, _ = s.SpawnWith(name, scheduler.Options{Group: guest, Main: name == "a", Ended: func(_ any, err error) {
			fmt.Println(name, guest.Spent().Steps, err)
		}})
	}
	turns := 0
	err := s.Run(context.Background(), scheduler.MachineFunc[string](func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
		guest := s.Inspect().Group(s.Current())
		if guest.Take(quota.Steps, 1) != nil { // the fiber is killed already
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		if turns++; turns == 10 {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}))
	fmt.Println(err)
	// Output:
	// b 3 scheduler: fiber killed: the quota of b is used up: steps, limit 3
	// a 7 <nil>
	// <nil>
}
