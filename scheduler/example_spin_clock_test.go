package scheduler_test

import (
	"context"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// spinClock is a clock that looks a few times before it lets the owner sleep.
type spinClock struct{ *scheduler.VirtualClock }

func (spinClock) Spin(_ fiber.Time, came func() bool) bool {
	for range 3 {
		if came() {
			fmt.Println("something has come")
			return true
		}
	}
	fmt.Println("nothing has come")
	return false
}

func ExampleSpinClock() {
	s := scheduler.New[int](scheduler.Config{Clock: spinClock{scheduler.NewVirtualClock()}})
	_ = s.Inbox().Do(func() {})
	s.Steps().WaitForInput(context.Background(), 10)
	s.Poll()
	s.Steps().WaitForInput(context.Background(), 20)
	s.Poll()
	fmt.Println(s.Steps().IdleVerdictWithReport().Kind)
	// Output:
	// something has come
	// nothing has come
	// done
}
