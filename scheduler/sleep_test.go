package scheduler

import (
	"context"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// A host that owns the loop parks as Run does.
func TestWaitForInputSleepsUntilADeadlineACommandOrTheEnd(t *testing.T) {
	s := New[int](Config{})
	s.Steps().WaitForInput(context.Background(), 7)
	if s.Poll(); s.Now() != 7 {
		t.Errorf("it is %v after parking until 7ns", s.Now())
	}
	came := false
	if err := s.Inbox().Do(func() { came = true }); err != nil {
		t.Fatal(err)
	}
	s.Steps().WaitForInput(context.Background(), fiber.Never)
	if s.Poll(); !came {
		t.Error("the command was not carried out")
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	s.Steps().WaitForInput(over, fiber.Never)
}
