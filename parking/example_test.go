package parking_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/parking"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// A sort in Go, whose comparison is the guest's and waits.
func ExampleMachine() {
	s := scheduler.New[[]int](scheduler.Config{})
	var native *parking.Machine[[]int]
	less := func(a, b int, slept *bool) trampoline.CalleeFunc {
		return func() fiber.Outcome { // guest code: it sleeps once, and then compares
			if !*slept {
				*slept = true
				return fiber.BlockOn(fiber.Until(s.Now().After(5)))
			}
			s.Claim()
			return fiber.Outcome{Kind: fiber.Done}
		}
	}
	guest := scheduler.MachineFunc[[]int](func(s *scheduler.Scheduler[[]int], f *scheduler.Fiber[[]int]) fiber.Outcome {
		return native.Run(func() fiber.Outcome {
			slices.SortFunc(f.Data, func(a, b int) int {
				slept := false
				if err := native.Call(less(a, b, &slept)); err != nil {
					return 0 // Run below passes it on
				}
				return a - b
			})
			fmt.Println(f.Data, s.Now())
			return fiber.Outcome{Kind: fiber.Done}
		})
	})
	native = parking.New(s, guest)
	defer native.Close()
	for _, list := range [][]int{{3, 1, 2}, {9, 8}} {
		_, _ = s.Spawn(list)
	}
	fmt.Println(s.Run(context.Background(), native))
	// Output:
	// [8 9] 5ns
	// [1 2 3] 15ns
	// <nil>
}
