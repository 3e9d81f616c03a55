package scheduler_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
)

// A fiber waits for a message.
func ExampleWait() {
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(0)
	s.Poll()
	s.ScheduleNext()
	messages := wait.NewChan[string](0)
	t, _ := s.BlockOn(messages.Source())
	_ = messages.ParkRecv(t, 0)

	w, _ := s.Inspect().Wait(id.ID())
	fmt.Println(w.Kind, w.Sources, w.Source == messages.Source())
	// Output:
	// queue 1 true
}
