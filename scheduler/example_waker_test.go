package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// Another goroutine wakes a fiber three times.
func ExampleWaker() {
	s := scheduler.New[int](scheduler.Config{})
	w := s.Attachments().NewWaker()
	_, _ = s.Spawn(0)
	rings := s.Inbox().NewSender()
	go func() {
		defer rings.Close()
		for n := uint32(1); n <= 3; {
			if w.Wake(fiber.Result{Code: fiber.OK, Value: n}) {
				n++
			}
		}
	}()
	err := s.Run(context.Background(), scheduler.MachineFunc[int](
		func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			if _, r := s.Claim(); r.Code == fiber.OK {
				f.Data++
				fmt.Println("woken", r.Value)
			}
			if f.Data == 3 {
				return fiber.Outcome{Kind: fiber.Done}
			}
			_ = w.Park(s.Arm(fiber.OnQueue().FromOutside(), w))
			return fiber.BlockOn(fiber.OnQueue())
		}))
	fmt.Println(err)
	// Output:
	// woken 1
	// woken 2
	// woken 3
	// <nil>
}
