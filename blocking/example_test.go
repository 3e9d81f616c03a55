package blocking_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// inFiber runs one fiber, whose function do submits work to a pool and waits for it.
func inFiber(body func(f *stackful.Fiber, do func(blocking.Work) (any, error))) {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: wallclock.New()}})
	defer rt.Close()
	pool, err := blocking.New(&rt.Scheduler().Core, blocking.Config{})
	if err != nil {
		panic(err)
	}
	_, _ = rt.Go("main", func(f *stackful.Fiber) (any, error) {
		body(f, func(work blocking.Work) (any, error) {
			done, err := f.Operate(func(tok fiber.Token) error { return pool.Submit(tok, work) })
			return done.Value, errors.Join(err, done.Err)
		})
		return nil, nil
	})
	if err := rt.Run(context.Background()); err != nil {
		panic(err)
	}
	if err := pool.Close(context.Background()); err != nil {
		panic(err)
	}
}

// A worker reads the file while other fibers run.
func ExamplePool() {
	inFiber(func(_ *stackful.Fiber, do func(blocking.Work) (any, error)) {
		_, err := do(func(context.Context) (any, error) { return os.ReadFile("no/such/file") })
		fmt.Println(errors.Is(err, os.ErrNotExist))
	})
	// Output: true
}

func ExampleWork() {
	inFiber(func(_ *stackful.Fiber, do func(blocking.Work) (any, error)) {
		name, _ := do(func(context.Context) (any, error) { return "from a worker", nil })
		fmt.Println(name)
	})
	// Output: from a worker
}

func Example_panic() {
	inFiber(func(_ *stackful.Fiber, do func(blocking.Work) (any, error)) {
		_, err := do(func(context.Context) (any, error) { panic("no disk") })
		var p *scheduler.PanicError
		fmt.Println(errors.As(err, &p), p.Value)
	})
	// Output: true no disk
}

func ExampleConfig() {
	s := scheduler.New[int](scheduler.Config{})
	_, err := blocking.New(&s.Core, blocking.Config{Workers: -2})
	fmt.Println(err)
	// Output: blocking: a pool of -2 workers: want 0 (the default, 64) or more
}
