package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// The main fiber returns and leaves one that waits for nothing.
func ExampleLeakError() {
	s := scheduler.New[string](scheduler.Config{Linger: true})
	_, _ = s.SpawnWith("main", scheduler.Options{Main: true})
	_, _ = s.SpawnWith("worker", scheduler.Options{Name: "worker"})
	err := s.Run(context.Background(), scheduler.MachineFunc[string](
		func(s *scheduler.Scheduler[string], f *scheduler.Fiber[string]) fiber.Outcome {
			if f.Data == "main" {
				return fiber.Outcome{Kind: fiber.Done}
			}
			s.ArmForQueue()
			return fiber.Outcome{Kind: fiber.Block}
		}))
	fmt.Println(errors.As(err, new(*scheduler.LeakError)), s.Inspect().Blocked())
	// Output: true 1
}
