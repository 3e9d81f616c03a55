package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
)

// The entries of a turn come at its end, in one piece.
func ExampleEntry() {
	s := scheduler.New[int](scheduler.Config{Record: func(entries []scheduler.Entry, between bool) {
		for _, e := range entries {
			fmt.Println(e.Op(), e.Fiber().Index(), e.From(), "to", e.To())
		}
	}})
	_, _ = s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	s.YieldCurrent()
	s.Poll()
	// Output:
	// Spawn 0 dead to runnable
	// YieldCurrent 0 running to runnable
}
