//go:build cgo

package native

import (
	"unsafe"

	"github.com/selvage-dev/selvage/internal/stack"
	"github.com/selvage-dev/selvage/stackful"
)

// Guard makes a Func that runs fn on a goroutine of its own, so that C gets SELVAGE_EXITED after a
// runtime.Goexit in it (such as testing's FailNow). Without Guard a Goexit unwinds past the C
// frames, which cannot clean up, because Go cannot stop it. The cost is two switches between OS
// threads for each call.
func Guard(fn Func) Func {
	return func(f *stackful.Fiber, arg unsafe.Pointer) (value int64, err error) {
		stacks := stack.NewPool(stack.Goroutine, 0)
		stacks.Follow(f.Runtime().Scheduler())
		s := stacks.New(func(*stack.Stack) { value, err = fn(f, arg) })
		s.Resume()
		switch end := s.Err().(type) {
		case *stack.GoexitError:
			panic(&stackful.GoexitError{Stack: end.Stack})
		case *stack.PanicError:
			panic(end.Value)
		}
		return value, err
	}
}
