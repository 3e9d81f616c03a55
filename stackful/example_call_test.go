package stackful_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trampoline"
)

// Native code (here: sum) calls back into the guest, and the callback waits. The native
// frames are suspended with the rest of the stack; the peer runs meanwhile.
func ExampleFiber_Call() {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	sum := func(n int, callback func(i int) int) (total int) {
		for i := range n {
			total += callback(i)
		}
		return total
	}
	rt.Go("caller", func(f *stackful.Fiber) (any, error) {
		total := sum(3, func(i int) int {
			v, err := f.Call(func(f *stackful.Fiber) (any, error) {
				return 10 * i, f.Sleep(time.Second)
			})
			if err != nil {
				return 0
			}
			return v.(int)
		})
		fmt.Println("the sum is", total, "at", f.Now())
		return nil, nil
	})
	rt.Go("peer", func(f *stackful.Fiber) (any, error) {
		fmt.Println("the peer runs at", f.Now())
		return nil, nil
	})
	fmt.Println(rt.Run(context.Background()))
	// Output:
	// the peer runs at 0s
	// the sum is 30 at 3s
	// <nil>
}

// In a callback of C a fiber on a coroutine can do anything but wait.
func ExampleFiber_Foreign() {
	for _, backing := range []stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
		rt := stackful.New(stackful.Config{Backing: backing})
		rt.Go("", func(f *stackful.Fiber) (any, error) {
			err := f.Foreign(func() error { return f.Sleep(time.Second) })
			fmt.Println(backing, "may wait:", !errors.Is(err, trampoline.ErrForeignStack))
			return nil, nil
		})
		if err := rt.Run(context.Background()); err != nil {
			fmt.Println(err)
		}
		rt.Close()
	}
	// Output:
	// coroutine may wait: false
	// goroutine may wait: true
}
