package wallclock_test

import (
	"context"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

func ExampleClock() {
	s := scheduler.New[struct{}](scheduler.Config{Clock: wallclock.New()})
	if _, err := s.Spawn(struct{}{}); err != nil {
		fmt.Println(err)
	}
	slept := false
	err := s.Run(context.Background(), scheduler.MachineFunc[struct{}](
		func(s *scheduler.Scheduler[struct{}], _ *scheduler.Fiber[struct{}]) fiber.Outcome {
			if slept {
				return fiber.Outcome{Kind: fiber.Done}
			}
			slept = true
			return fiber.BlockOn(fiber.Until(s.Now().After(time.Millisecond)))
		}))
	fmt.Println(s.Now() >= fiber.Time(time.Millisecond), err)
	// Output: true <nil>
}
