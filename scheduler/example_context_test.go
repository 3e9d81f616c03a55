package scheduler_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// user is the key of a value of the run.
type user struct{}

// A Go function that the machine calls for a fiber gets the fiber's context.
func ExampleUnwind_Context() {
	query := func(ctx context.Context) { fmt.Println("query of", ctx.Value(user{})) }
	var own context.Context
	s := scheduler.New[int](scheduler.Config{})
	id, _ := s.Spawn(0)
	err := s.Run(context.WithValue(context.Background(), user{}, "ada"), scheduler.MachineFunc[int](
		func(s *scheduler.Scheduler[int], f *scheduler.Fiber[int]) fiber.Outcome {
			own = s.Unwind().Context()
			query(own)
			_ = s.Cancel(id.ID(), errors.New("client disconnected"))
			fmt.Println(context.Cause(own))
			return fiber.Outcome{Kind: fiber.Done}
		}))
	fmt.Println(err)
	// Output:
	// query of ada
	// scheduler: fiber cancelled: client disconnected
	// <nil>
}
