package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Three fibers are spawned in the order a, b, c. Choose mounts the last of those that are ready.
func ExampleChoice() {
	s := scheduler.New[string](scheduler.Config{Choose: func(c scheduler.Choice) int {
		fmt.Println(c.Kind, c.Fibers)
		return c.Options - 1
	}})
	for _, name := range []string{"a", "b", "c"} {
		_, _ = s.Spawn(name)
	}
	_ = s.Run(context.Background(), scheduler.MachineFunc[string](
		func(_ *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
			fmt.Println("run", f.Data)
			return fiber.Outcome{Kind: fiber.Done}
		}))
	// Output:
	// fiber [f0.1 f1.1 f2.1]
	// run c
	// fiber [f0.1 f1.1]
	// run b
	// run a
}

func ExampleChoiceKind() {
	fmt.Println(scheduler.ChooseFiber, scheduler.ChoosePoint, scheduler.ChooseNumber)
	// Output: fiber point number
}

// A host asks before each operation that other fibers can notice whether another one runs first.
func ExampleChoices() {
	s := scheduler.New[string](scheduler.Config{Choose: func(c scheduler.Choice) int {
		if c.Kind == scheduler.ChoosePoint {
			return 1
		}
		return 0
	}})
	_, _ = s.Spawn("first")
	_, _ = s.Spawn("second")
	asked := false
	_ = s.Run(context.Background(), scheduler.MachineFunc[string](
		func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
			if !asked {
				asked = true
				if s.Choices().Point() {
					fmt.Println(f.Data, "is preempted")
					return fiber.Outcome{Kind: fiber.TimesliceExpired}
				}
			}
			fmt.Println(f.Data, "ends")
			return fiber.Outcome{Kind: fiber.Done}
		}))
	// Output:
	// first is preempted
	// second ends
	// first ends
}

// A select draws among the cases that are ready: Choose decides, or the seeded generator.
func ExampleCore_Choices() {
	s := scheduler.New[int](scheduler.Config{Choose: func(c scheduler.Choice) int { return c.Options - 1 }})
	fmt.Println(s.Choices().On(), s.Choices().Uint64N(3))
	// Output: true 2
}
