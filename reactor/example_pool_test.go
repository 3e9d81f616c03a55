package reactor_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// inFiber runs one fiber that has work done by a pool.
func inFiber(body func(f *stackful.Fiber, have func(reactor.Work) (any, error))) {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: reactor.NewWallClock()}})
	defer rt.Close()
	pool, err := reactor.NewPool(&rt.Scheduler().Core, reactor.PoolConfig{})
	if err != nil {
		panic(err)
	}
	_, _ = rt.Go("main", func(f *stackful.Fiber) (any, error) {
		body(f, func(work reactor.Work) (any, error) {
			done, err := f.Operate(func(tok fiber.Token) error { return pool.Submit(tok, work) })
			return done.Value, errors.Join(err, done.Err)
		})
		return nil, nil
	})
	if err := rt.Run(context.Background()); err != nil {
		panic(err)
	}
	if _, err := pool.Close(context.Background()); err != nil {
		panic(err)
	}
}

// A file is read on a worker; the other fibers go on meanwhile.
func ExamplePool() {
	inFiber(func(_ *stackful.Fiber, have func(reactor.Work) (any, error)) {
		_, err := have(func(context.Context) (any, error) { return os.ReadFile("no/such/file") })
		fmt.Println(errors.Is(err, os.ErrNotExist))
	})
	// Output: true
}

func ExampleWork() {
	inFiber(func(_ *stackful.Fiber, have func(reactor.Work) (any, error)) {
		name, _ := have(func(context.Context) (any, error) { return "from a worker", nil })
		fmt.Println(name)
	})
	// Output: from a worker
}

func ExamplePanicError() {
	inFiber(func(_ *stackful.Fiber, have func(reactor.Work) (any, error)) {
		_, err := have(func(context.Context) (any, error) { panic("no disk") })
		var p *reactor.PanicError
		fmt.Println(errors.As(err, &p), p.Value)
	})
	// Output: true no disk
}

func ExamplePoolConfig() {
	s := scheduler.New[int](scheduler.Config{})
	_, err := reactor.NewPool(&s.Core, reactor.PoolConfig{Workers: -2})
	fmt.Println(err)
	// Output: reactor: a pool of -2 workers: want 0 (the default, 64) or more
}

func ExampleDrained() {
	s := scheduler.New[int](scheduler.Config{})
	pool, _ := reactor.NewPool(&s.Core, reactor.PoolConfig{})
	d, err := pool.Close(context.Background())
	fmt.Println(d.Finished, d.Cancelled, len(d.Stragglers), err)
	// Output: 0 0 0 <nil>
}
