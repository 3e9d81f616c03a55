package scheduler_test

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/scheduler"
)

// An observer sees what the loop does, also where that is inlined into the host's code.
func ExampleTransition() {
	s := scheduler.New[int](scheduler.Config{Observer: func(t scheduler.Transition) {
		fmt.Println(strings.TrimSpace(fmt.Sprint(t.ID, " ", t.Op, " ", t.Answer)))
	}})
	_, _ = s.Spawn(0) // there is room
	s.Poll()
	s.ScheduleNext()
	s.YieldCurrent()
	s.Poll()
	s.ScheduleNext()
	s.BlockForQueue()
	s.Steps().IdleVerdictWithReport() // the last transition too has been reported now
	// Output:
	// f0.1 Spawn
	// f0.1 ScheduleNext
	// f0.1 YieldCurrent
	// f0.1 ScheduleNext
	// f0.1 Arm
	// f0.1 Block parked
}
