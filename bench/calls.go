package main

import (
	"context"
	"iter"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// acquireRelease is P06: native calls of one fiber, each begun and ended depth deep.
//
//go:noinline
func acquireRelease(depth int) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[cell](scheduler.Config{})
		mustSpawn(s)
		s.Poll()
		s.ScheduleNext()
		calls := make([]fiber.TrampolineID, depth)
		start := time.Now()
		for i := 0; i < n; i += depth {
			for d := range calls {
				var err error
				if calls[d], err = s.AcquireTrampoline(); err != nil {
					panic(err)
				}
			}
			for d := depth - 1; d >= 0; d-- {
				s.ReleaseTrampoline(calls[d])
			}
		}
		return time.Since(start)
	}
}

// parkingCall is a native call that waits: begun, parked with its stack, woken by the next
// fiber's call, resumed and ended.
//
//go:noinline
func parkingCall(fibers int) func(int) time.Duration {
	return func(n int) time.Duration {
		rt := stackful.New(stackful.Config{})
		defer rt.Close()
		s, last, count := rt.Scheduler(), fiber.Ticket{}, 0
		publish := func(t fiber.Ticket) error {
			s.Deliver(last, fiber.Result{Code: fiber.OK})
			last = t
			return nil
		}
		wait := func(f *stackful.Fiber) (any, error) {
			_, _, err := f.Await(fiber.OnQueue(), publish)
			return nil, err
		}
		for range fibers {
			if _, err := rt.Go("", func(f *stackful.Fiber) (any, error) {
				for ; count < n; count++ {
					if _, err := f.Call(wait); err != nil {
						return nil, err
					}
				}
				s.Deliver(last, fiber.Result{Code: fiber.OK})
				return nil, nil
			}); err != nil {
				panic(err)
			}
		}
		start := time.Now()
		must(rt.Run(context.Background()))
		return time.Since(start)
	}
}

// pull is its peer: one switch to a coroutine and back.
func pull(n int) time.Duration {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	defer stop()
	start := time.Now()
	for range n {
		next()
	}
	return time.Since(start)
}
