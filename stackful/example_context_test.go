package stackful_test

import (
	"context"
	"fmt"
	"time"

	"github.com/selvage-dev/selvage/stackful"
)

type user struct{}

// A fiber passes its context to Go code. Goroutines that this code starts end with the fiber.
func ExampleFiber_Context() {
	ended := make(chan error)
	watch := func(ctx context.Context) {
		fmt.Println("for", ctx.Value(user{}))
		go func() { <-ctx.Done(); ended <- context.Cause(ctx) }()
	}
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	task, _ := rt.Go("watcher", func(f *stackful.Fiber) (any, error) {
		watch(f.Context())
		return nil, f.Sleep(time.Hour)
	})
	_, _ = rt.Go("user", func(f *stackful.Fiber) (any, error) {
		return nil, f.Cancel(task, fmt.Errorf("logged out"))
	})
	_ = rt.Run(context.WithValue(context.Background(), user{}, "ada"))
	fmt.Println(<-ended)
	// Output:
	// for ada
	// scheduler: fiber cancelled: logged out
}
