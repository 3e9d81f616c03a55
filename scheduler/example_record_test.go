package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
)

// The entries of a turn come at its end, in one piece, if Record asks for each.
func ExampleEntry() {
	s := scheduler.New[int](scheduler.Config{Record: func(entries []scheduler.Entry, between bool, _ int) (each bool) {
		for _, e := range entries {
			fmt.Println(e.Op(), e.Fiber().Index(), e.From(), "to", e.To())
		}
		return true // of each turn
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
