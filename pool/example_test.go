package pool_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/pool"
	"github.com/selvage-dev/selvage/scheduler"
)

// span is what a fiber adds up: the numbers from its first to below its last.
type span struct{ first, last int }

// adder is the Machine of a worker: a long span is two fibers, a short one is added up.
type adder struct{ total *atomic.Int64 }

func (a adder) Resume(s *scheduler.Scheduler[span], f *scheduler.Fiber[span]) fiber.Outcome {
	n := f.Data
	if middle := (n.first + n.last) / 2; n.last-n.first > 1000 {
		for _, half := range []span{{n.first, middle}, {middle, n.last}} {
			if _, err := s.Fork(half); err != nil {
				return fiber.Outcome{Kind: fiber.Panic}
			}
		}
		return fiber.Outcome{Kind: fiber.Done}
	}
	sum := 0
	for i := n.first; i < n.last; i++ {
		sum += i
	}
	a.total.Add(int64(sum))
	return fiber.Outcome{Kind: fiber.Done}
}

// A million numbers are added up by as many workers as there are.
func ExamplePool() {
	var total atomic.Int64
	p, err := pool.New(pool.Config[span]{
		Machine: func(int) scheduler.Machine[span] { return adder{&total} },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := p.Spawn(span{0, 1_000_000}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Run(context.Background()), total.Load())
	// Output: <nil> 499999500000
}

// Four workers answer each other after eight slices, and time is virtual.
func ExampleConfig() {
	var total atomic.Int64
	p, err := pool.New(pool.Config[span]{
		Workers: 4, CheckEvery: 8,
		Machine: func(int) scheduler.Machine[span] { return adder{&total} },
		Scheduler: func(int) scheduler.Config {
			return scheduler.Config{Clock: scheduler.NewVirtualClock(), MaxFibers: 10_000}
		},
	})
	fmt.Println(len(p.Schedulers()), err)
	// Output: 4 <nil>
}

// If a Machine panics, Run panics when all other workers have ended.
func ExamplePool_Run() {
	p, _ := pool.New(pool.Config[int]{ // it has a Machine
		Machine: func(int) scheduler.Machine[int] {
			return scheduler.MachineFunc[int](func(*scheduler.Scheduler[int], *scheduler.Fiber[int]) fiber.Outcome {
				panic("invalid opcode")
			})
		},
	})
	_ = p.Spawn(1) // there is room
	defer func() {
		var panicked *scheduler.PanicError
		if err, _ := recover().(error); errors.As(err, &panicked) {
			fmt.Println(panicked.Value)
		}
	}()
	_ = p.Run(context.Background())
	// Output: invalid opcode
}

// A payload waits for one of the workers.
func ExamplePool_Counts() {
	var total atomic.Int64
	p, err := pool.New(pool.Config[span]{Workers: 3, Machine: func(int) scheduler.Machine[span] { return adder{&total} }})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = p.Spawn(span{0, 1}) // there is room
	fmt.Println(p.Counts())
	// Output: 3 0 1
}
