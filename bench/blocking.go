package main

import (
	"context"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wallclock"
)

// caller is a fiber of P12 that submits one piece of work after the other.
type caller struct{ tok fiber.Token }

// poolWork is P12: n pieces of blocking work, a number of them outstanding at any time.
func poolWork(outstanding int) func(int) time.Duration {
	return func(n int) time.Duration {
		s := scheduler.New[caller](scheduler.Config{Clock: wallclock.New()})
		pool := mustGet(blocking.New(&s.Core, blocking.Config{}))
		for range outstanding {
			mustGet(s.Spawn(caller{}))
		}
		start := time.Now()
		call(s, pool, n)
		took := time.Since(start)
		must(pool.Close(context.Background()))
		return took
	}
}

// call runs the fibers of P12 until n pieces of work are done.
//
//go:noinline
func call(s *scheduler.Scheduler[caller], pool *blocking.Pool, n int) {
	begun, work := 0, func(context.Context) (any, error) { return nil, nil }
	for s.Inspect().Live() > 0 {
		f := s.ScheduleNext()
		if f == nil {
			if !s.Poll() {
				s.Steps().WaitForInput(context.Background(), s.Steps().IdleVerdictWithReport().Until)
			}
			continue
		}
		if f.Data.tok != 0 {
			s.Claim()
			done, _ := s.Ops().Completion(f.Data.tok)
			must(done.Err)
		}
		if begun == n {
			s.KillCurrent()
			continue
		}
		begun++
		tok, err := s.Ops().Submit()
		must(err)
		f.Data.tok = tok
		must(pool.Submit(tok, work))
		s.BlockForIO(tok)
	}
}

// goroutineEach is its peer: every piece is a goroutine that reports on a channel.
func goroutineEach(outstanding int) func(int) time.Duration {
	return func(n int) time.Duration {
		var callers sync.WaitGroup
		work := func() error { return nil }
		start := time.Now()
		for i := range outstanding {
			each := part(n, i, outstanding)
			callers.Go(func() {
				done := make(chan error)
				for range each {
					go func() { done <- work() }()
					must(<-done)
				}
			})
		}
		callers.Wait()
		return time.Since(start)
	}
}
