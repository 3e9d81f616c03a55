package trampoline_test

import (
	"context"
	"fmt"
	"sort"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// A sort in Go on the driving stack, whose comparison is the guest's. A comparison that fails ends
// the sort: its panic continues in the caller.
func ExamplePool_Nest() {
	s := scheduler.New[[]int](scheduler.Config{Unobserved: func(err *scheduler.UnobservedError) { fmt.Println(err) }})
	var calls *trampoline.Pool[[]int]
	machine := scheduler.MachineFunc[[]int](func(s *scheduler.Scheduler[[]int], f *scheduler.Fiber[[]int]) fiber.Outcome {
		list, failed := f.Data, error(nil)
		sort.Slice(list, func(i, j int) bool {
			err := calls.Nest(trampoline.CalleeFunc(func() fiber.Outcome { // guest code
				if list[i] < 0 {
					return s.Unwind().Fail("negative number", "less.txt:2")
				}
				return fiber.Outcome{Kind: fiber.Done}
			}))
			if err != nil {
				failed = err
			}
			return err == nil && list[i] < list[j]
		})
		if failed != nil {
			return s.Unwind().Fail(failed, "sort")
		}
		fmt.Println(list)
		return fiber.Outcome{Kind: fiber.Done}
	})
	calls = trampoline.New(s, machine)
	for _, list := range [][]int{{3, 1, 2}, {-1, -2}} {
		_, _ = s.SpawnWith(list, scheduler.Options{Nests: true})
	}
	fmt.Println(s.Run(context.Background(), machine))
	// Output:
	// [1 2 3]
	// fiber f1.1 failed and nothing joined it: less.txt:2: panic: negative number
	// <nil>
}
