package trace_test

import (
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trace"
)

// One fiber is spawned, waits, is woken and ends.
func ExampleNew() {
	var cfg scheduler.Config
	w := trace.New(os.Stdout, &cfg)
	s := scheduler.New[string](cfg)

	_, _ = s.Spawn("the first") // there is room
	s.Poll()
	s.ScheduleNext()
	t, _ := s.BlockForQueue()
	s.Deliver(t, fiber.Result{Code: fiber.OK})
	s.Poll()
	s.ScheduleNext()
	s.KillCurrent()
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"trace":"selvage","version":2,"scheduler":0}
	// {"op":"spawn","f":"f0.1"}
	// {"op":"schedule","f":"f0.1"}
	// {"op":"arm","f":"f0.1","wait":1,"on":"queue"}
	// {"op":"block","f":"f0.1","says":"parked"}
	// {"op":"deliver","f":"f0.1","wait":1,"says":"woken"}
	// {"op":"schedule","f":"f0.1"}
	// {"op":"exit","f":"f0.1"}
	// {"op":"end","count":7,"sum":1679475665}
}
