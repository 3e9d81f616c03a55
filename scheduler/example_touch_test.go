package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Two steps that only read a variable may be made in either order.
func ExampleRead() {
	showTouched(func(c scheduler.Choices) { c.Touch(scheduler.Read{Object: "the limit"}) })
	// Output:
	// f0.1 uses {the limit}
}

// A step that has made an object says so: until others use it, it makes no step depend on another.
func ExampleCreated() {
	showTouched(func(c scheduler.Choices) { c.Touch(scheduler.Created{Object: "a buffer"}, "the list") })
	// Output:
	// f0.1 uses {a buffer}
	// f0.1 uses the list
}

// showTouched runs a fiber that declares what it uses, and prints what Config.Touched receives.
func showTouched(step func(scheduler.Choices)) {
	s := scheduler.New[int](scheduler.Config{
		Choose: func(scheduler.Choice) int { return 0 },
		Touched: func(id fiber.ID, objects []any) {
			for _, o := range objects {
				fmt.Println(id, "uses", o)
			}
		},
	})
	if !s.Choices().Declare() {
		fmt.Println("nothing listens: Touch has no effect")
	}
	_, _ = s.Spawn(0)
	_ = s.Run(context.Background(), scheduler.MachineFunc[int](func(s *scheduler.Scheduler[int], _ *scheduler.Fiber[int]) fiber.Outcome {
		step(s.Choices())
		return fiber.Outcome{Kind: fiber.Done}
	}))
}
