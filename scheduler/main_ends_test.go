package scheduler

import (
	"context"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestNobodyRunsAfterTheMainFiberHasReturned(t *testing.T) {
	s := New[int](Config{})
	var ran []int
	for n := range 3 {
		id, err := s.Spawn(n)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			if err := s.Attachments().SetMain(id); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := s.Run(context.Background(), MachineFunc[int](func(_ *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		ran = append(ran, f.Data)
		return fiber.Outcome{Kind: fiber.Done}
	}))
	if err != nil || len(ran) != 1 || s.Inspect().Live() != 0 {
		t.Fatalf("fibers %v ran, %d are alive, error %v", ran, s.Inspect().Live(), err)
	}
}
