package proptest_test

import (
	"fmt"

	"github.com/selvage-dev/selvage/proptest"
	"github.com/selvage-dev/selvage/spec"
)

// A wake that comes before the block is not lost, neither by the model nor by the
// scheduler, which agree after every step.
func Example() {
	bounds := spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1}
	l := proptest.NewLockstep(bounds, proptest.Host{})
	for _, a := range []spec.Action{
		{Kind: spec.Spawn}, {Kind: spec.Next}, {Kind: spec.ArmQueue}, {Kind: spec.Deliver}, {Kind: spec.Block},
	} {
		if err := l.Step(a); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(l.State.Contexts[0].Status, l.Scheduler.Inspect().State(l.Fiber(0)))
	// Output: Runnable runnable
}
