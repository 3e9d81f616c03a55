package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// A host that owns its loop, and has it end as Run does.
func ExampleLoop() {
	s := scheduler.New[int](scheduler.Config{})
	for range 2 {
		_, _ = s.Spawn(3)
	}
	l := s.Steps().Begin(context.Background())
	defer l.Close()
	for {
		l.CheckStop()
		for f := s.ScheduleNext(); f != nil; f = s.ScheduleNext() {
			fmt.Print(f.Data, " ")
			if f.Data--; f.Data > 0 {
				s.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
			} else {
				s.Finish(fiber.Outcome{Kind: fiber.Done})
			}
		}
		if l.Stopping() || s.Poll() {
			continue
		}
		if over, err := l.Sleep(); over {
			fmt.Println(err)
			return
		}
	}
	// Output: 3 3 2 2 1 1 <nil>
}
