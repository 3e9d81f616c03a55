package trampoline_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/trampoline"
)

// coroutine is a stack for native code: it parks by yielding. Package parking has stacks for
// production use.
type coroutine struct {
	yield func(fiber.Outcome) bool
	next  func() (fiber.Outcome, bool)
}

func (c *coroutine) Allows(w trampoline.Way) bool { return w == trampoline.Parking }
func (c *coroutine) Park(o fiber.Outcome)         { c.yield(o) }

// start makes a stack for native code; next runs it until it parks or has returned.
func (c *coroutine) start(native func()) {
	c.next, _ = iter.Pull(func(yield func(fiber.Outcome) bool) {
		c.yield = yield
		native()
	})
}

// Native code calls the guest, which sleeps: the stack of the native code is suspended meanwhile.
func ExamplePool_Park() {
	s := scheduler.New[*coroutine](scheduler.Config{})
	calls := trampoline.New(s, nil) // nothing nests
	slept := false
	guest := trampoline.CalleeFunc(func() fiber.Outcome {
		if !slept {
			slept = true
			return fiber.BlockOn(fiber.Until(5))
		}
		s.Claim()
		return fiber.Outcome{Kind: fiber.Done}
	})
	stack := new(coroutine)
	stack.start(func() {
		fmt.Println("native code calls at", s.Now())
		err := calls.Park(stack, guest)
		fmt.Println("the call returns at", s.Now(), err)
	})
	_, _ = s.SpawnWith(stack, scheduler.Options{Frames: true})
	fmt.Println(s.Run(context.Background(), scheduler.MachineFunc[*coroutine](
		func(_ *scheduler.Scheduler[*coroutine], f *scheduler.Fiber[*coroutine]) fiber.Outcome {
			if o, parked := f.Data.next(); parked {
				return o
			}
			return fiber.Outcome{Kind: fiber.Done}
		})))
	// Output:
	// native code calls at 0s
	// the call returns at 5ns <nil>
	// <nil>
}
