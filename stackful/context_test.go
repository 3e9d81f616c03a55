package stackful

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

type contextKey struct{}

func TestAContextHasWhatTheRunWasGiven(t *testing.T) {
	eachWith(t, Config{}, func(s *testRun) {
		at := time.Now().Add(time.Hour)
		ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), contextKey{}, "the run's"), at)
		defer cancel()
		var own context.Context
		s.spawn("worker", func(f *Fiber) {
			own = f.Context()
			deadline, ok := own.Deadline()
			s.is("deadline", ok && deadline.Equal(at), true)
			s.is("value", own.Value(contextKey{}), "the run's")
			_, err := f.Call(func(f *Fiber) (any, error) {
				s.is("context of a native call", f.Context(), own)
				return nil, f.Sleep(time.Second)
			})
			s.ok(err)
			s.ok(own.Err())
		})
		s.ok(s.Run(ctx))
		s.fails("after the fiber", own.Err(), context.Canceled)
	})
}

// The fiber waits for goroutines that wait for its context.
func TestACancelEndsTheContextForOtherGoroutines(t *testing.T) {
	each(t, func(s *testRun) {
		causes := make(chan error, 8)
		worker := s.start("worker", func(f *Fiber) (any, error) {
			ctx := f.Context()
			for range cap(causes) {
				go func() { <-ctx.Done(); causes <- context.Cause(ctx) }()
			}
			return nil, f.Sleep(time.Hour)
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Cancel(worker.ID(), errStop))
		})
		s.run()
		_, ended, _ := worker.Result()
		for range cap(causes) {
			cause := <-causes
			for _, is := range []error{errStop, scheduler.ErrCancelled} {
				s.fails("the context", cause, is)
				s.fails("the fiber", ended, is)
			}
		}
	})
}

func TestAKillEndsTheContextWithTheErrorOfTheFiber(t *testing.T) {
	each(t, func(s *testRun) {
		var own context.Context
		worker := s.start("worker", func(f *Fiber) (any, error) {
			own = f.Context()
			err := f.Sleep(time.Hour)
			s.is("while it unwinds", f.Context(), own)
			return nil, err
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Kill(worker.ID(), errStop))
		})
		s.run()
		_, ended, _ := worker.Result()
		for _, is := range []error{errStop, scheduler.ErrKilled} {
			s.fails("the context", context.Cause(own), is)
			s.fails("the fiber", ended, is)
		}
	})
}

func TestAContextOutlivesACancelWithinShield(t *testing.T) {
	each(t, func(s *testRun) {
		var own context.Context
		worker := s.spawn("worker", func(f *Fiber) {
			own = f.Context()
			s.ok(f.Shield(func() error {
				s.ok(f.Sleep(time.Second))
				return own.Err()
			}))
			s.fails("after Shield", context.Cause(own), errStop)
			s.interrupted(f.Sleep(time.Second), false, errStop)
		})
		s.spawn("user", func(f *Fiber) {
			s.ok(f.Yield())
			s.ok(s.sched.Cancel(worker.ID(), errStop))
			s.ok(own.Err())
		})
		s.run()
	})
}

func TestAPanicOfTheFiberIsTheCause(t *testing.T) {
	each(t, func(s *testRun) {
		var own context.Context
		s.start("worker", func(f *Fiber) (any, error) {
			own = f.Context()
			panic("out of order")
		})
		s.run()
		var panicked *scheduler.PanicError
		s.is("a panic", errors.As(context.Cause(own), &panicked), true)
		s.is("value", panicked.Value, "out of order")
	})
}

func TestTheEndOfTheRunEndsTheContextOfABlockedFiber(t *testing.T) {
	each(t, func(s *testRun) {
		var own context.Context
		s.spawn("stuck", func(f *Fiber) {
			own = f.Context()
			_, _, _ = f.Await(fiber.OnQueue(), nil)
		})
		s.deadlock()
		s.fails("the context", own.Err(), context.Canceled)
	})
}

// A fiber that blocks its scheduler in Go code is freed by the end of the run's context.
func TestTheRunsContextEndsAGoCallThatBlocksTheScheduler(t *testing.T) {
	each(t, func(s *testRun) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s.start("worker", func(f *Fiber) (any, error) {
			own := f.Context()
			go cancel(errStop)
			<-own.Done()
			s.fails("the context", context.Cause(own), errStop)
			return nil, nil
		})
		require.ErrorIs(t, s.Run(ctx), context.Canceled)
	})
}
