package blocking_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// fixture is a runtime with a pool for its fibers.
type fixture struct {
	*testing.T
	rt   *stackful.Runtime
	pool *blocking.Pool
}

func newFixture(t *testing.T, cfg blocking.Config) *fixture {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: wallclock.New(), MaxTokens: 1 << 12}})
	pool, err := blocking.New(&rt.Scheduler().Core, cfg)
	require.NoError(t, err)
	s := &fixture{t, rt, pool}
	t.Cleanup(func() {
		rt.Close()
		_ = pool.Close(context.Background())
		goleak.VerifyNone(t)
	})
	return s
}

// fiber spawns a fiber; its error fails the test.
func (s *fixture) fiber(name string, body func(f *stackful.Fiber) error) *stackful.Task {
	s.Helper()
	task, err := s.rt.Go(name, func(f *stackful.Fiber) (any, error) { return nil, body(f) })
	require.NoError(s, err)
	return task
}

func (s *fixture) run() {
	s.Helper()
	require.NoError(s, s.rt.Run(context.Background()))
}

// do submits the work and waits for its result.
func (s *fixture) do(f *stackful.Fiber, work blocking.Work, deadline fiber.Time) (any, error) {
	done, err := f.OperateUntil(func(tok fiber.Token) error { return s.pool.Submit(tok, work) }, deadline)
	if err != nil {
		return nil, err
	}
	return done.Value, done.Err
}

// until blocks until its context ends.
func until(ctx context.Context) (any, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestBlockingWorkDelaysNoOtherFiber(t *testing.T) {
	s := newFixture(t, blocking.Config{})
	gate := make(chan string)
	s.fiber("waits", func(f *stackful.Fiber) error {
		v, err := s.do(f, func(context.Context) (any, error) { return <-gate, nil }, fiber.Never)
		assert.Equal(t, "opened", v)
		return err
	})
	s.fiber("goes on", func(f *stackful.Fiber) error {
		for range 100 {
			if err := f.Yield(); err != nil {
				return err
			}
		}
		gate <- "opened"
		return nil
	})
	s.run()
}

func TestTheOutcomeOfWorkIsTheWaitingFibersResult(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, c := range map[string]struct {
		work  blocking.Work
		value any
		check func(t *testing.T, err error)
	}{
		"it returns": {func(context.Context) (any, error) { return 7, nil }, 7, func(t *testing.T, err error) { assert.NoError(t, err) }},
		"it fails":   {func(context.Context) (any, error) { return nil, broken }, nil, func(t *testing.T, err error) { assert.ErrorIs(t, err, broken) }},
		"it panics": {func(context.Context) (any, error) { panic(broken) }, nil, func(t *testing.T, err error) {
			var p *scheduler.PanicError
			require.ErrorAs(t, err, &p)
			assert.ErrorIs(t, err, broken)
			assert.Contains(t, string(p.Stack), "pool_test.go")
		}},
		"it panics with no error": {func(context.Context) (any, error) { panic(5) }, nil, func(t *testing.T, err error) {
			assert.ErrorContains(t, err, "panic: 5")
		}},
		"it exits": {func(context.Context) (any, error) { runtime.Goexit(); return 1, nil }, nil, func(t *testing.T, err error) {
			assert.ErrorIs(t, err, blocking.ErrGoexit)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFixture(t, blocking.Config{Workers: 1}) // the only worker does the next job too
			s.fiber("one", func(f *stackful.Fiber) error {
				v, err := s.do(f, c.work, fiber.Never)
				assert.Equal(t, c.value, v)
				c.check(t, err)
				v, err = s.do(f, func(context.Context) (any, error) { return "next", nil }, fiber.Never)
				assert.Equal(t, "next", v)
				return err
			})
			s.run()
		})
	}
}

// The work has kept its context, and looks at it for the first time when it has ended.
func TestAContextThatIsFirstLookedAtAfterItsWorkHasEnded(t *testing.T) {
	var kept []context.Context
	keeps := func(end func()) blocking.Work {
		return func(ctx context.Context) (any, error) { kept = append(kept, ctx); end(); return nil, nil }
	}
	s := newFixture(t, blocking.Config{Workers: 1})
	s.fiber("one", func(f *stackful.Fiber) error {
		for _, end := range []func(){func() {}, func() { panic(1) }, runtime.Goexit} {
			_, _ = s.do(f, keeps(end), fiber.Never)
		}
		return nil
	})
	s.run()
	require.Len(t, kept, 3)
	for _, ctx := range kept {
		require.True(t, closed(ctx.Done()))
		require.ErrorIs(t, ctx.Err(), context.Canceled)
		require.ErrorIs(t, context.Cause(ctx), context.Canceled)
	}
}

func TestTheEndOfAWaitCancelsTheContextOfItsWork(t *testing.T) {
	for name, end := range map[string]func(s *fixture, f *stackful.Fiber, task *stackful.Task) error{
		"its deadline": func(*fixture, *stackful.Fiber, *stackful.Task) error { return nil },
		"a cancel": func(s *fixture, f *stackful.Fiber, task *stackful.Task) error {
			return s.rt.Scheduler().Cancel(task.ID(), nil)
		},
		"a kill": func(s *fixture, f *stackful.Fiber, task *stackful.Task) error {
			return s.rt.Scheduler().Kill(task.ID(), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newFixture(t, blocking.Config{})
			var once sync.Once
			began, causes := make(chan struct{}), make(chan error, 1)
			work := func(ctx context.Context) (any, error) {
				once.Do(func() { close(began) })
				_, err := until(ctx)
				select {
				case causes <- err:
				default: // an earlier attempt has sent its cause
				}
				return nil, err
			}
			task := s.fiber("waits", func(f *stackful.Fiber) error {
				if name != "its deadline" {
					_, err := s.do(f, work, fiber.Never)
					assert.Error(t, err)
					return nil
				}
				// On a busy machine a deadline can pass before a worker has begun.
				for d := time.Millisecond; !closed(began); d *= 2 {
					_, err := s.do(f, work, f.Within(d))
					assert.ErrorIs(t, err, stackful.ErrTimeout)
				}
				return nil
			})
			s.fiber("ends it", func(f *stackful.Fiber) error {
				if _, err := s.do(f, func(context.Context) (any, error) { <-began; return nil, nil }, fiber.Never); err != nil {
					return err
				}
				if err := end(s, f, task); err != nil {
					return err
				}
				_, err := s.do(f, func(context.Context) (any, error) { return nil, <-causes }, fiber.Never)
				assert.ErrorIs(t, err, blocking.ErrAbandoned)
				return nil
			})
			s.run()
		})
	}
}

func TestAtMostOneJobPerWorkerRunsAtOnce(t *testing.T) {
	const most, jobs = 3, 200
	s := newFixture(t, blocking.Config{Workers: most})
	var mu sync.Mutex
	now, peak := 0, 0
	for n := range jobs {
		s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			v, err := s.do(f, func(context.Context) (any, error) {
				mu.Lock()
				now++
				peak = max(peak, now)
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				defer mu.Unlock()
				now--
				return n, nil
			}, fiber.Never)
			assert.Equal(t, n, v)
			return err
		})
	}
	s.run()
	assert.LessOrEqual(t, peak, most)
	queued, running := s.pool.Load()
	assert.Zero(t, queued)
	assert.Zero(t, running)
}

// Submitting more work than scheduler.Config.MaxTokens blocks the submitting fibers in order of
// arrival; nothing is refused.
func TestWorkBeyondTheLimitOfOperationsWaitsAndCompletes(t *testing.T) {
	const most, fibers = 3, 50
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: wallclock.New(), MaxTokens: most}})
	pool, err := blocking.New(&rt.Scheduler().Core, blocking.Config{Workers: 2})
	require.NoError(t, err)
	s := &fixture{t, rt, pool}
	var order []int
	for n := range fibers {
		s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			done, err := f.Operate(func(tok fiber.Token) error {
				order = append(order, n)
				queued, running := pool.Load()
				assert.Less(t, queued+running, most)
				return pool.Submit(tok, func(context.Context) (any, error) { return n, nil })
			})
			assert.Equal(t, n, done.Value)
			return err
		})
	}
	s.run()
	rt.Close()
	err = pool.Close(context.Background())
	require.NoError(t, err)
	assert.IsIncreasing(t, order)
	assert.Len(t, order, fibers)
}

// Every job has a worker, though none of the others ends.
func TestInAnUnlimitedPoolNoWorkWaitsBehindAnother(t *testing.T) {
	const jobs = 500
	s := newFixture(t, blocking.Config{Workers: blocking.Unlimited})
	gate := make(chan struct{})
	var in sync.WaitGroup
	in.Add(jobs)
	for range jobs {
		s.fiber("idle", func(f *stackful.Fiber) error {
			_, err := s.do(f, func(context.Context) (any, error) { in.Done(); <-gate; return nil, nil }, fiber.Never)
			return err
		})
	}
	s.fiber("last", func(f *stackful.Fiber) error {
		_, err := s.do(f, func(context.Context) (any, error) { in.Wait(); close(gate); return nil, nil }, fiber.Never)
		return err
	})
	s.run()
}

func TestAbandonedWorkIsAbortedOnce(t *testing.T) {
	s := newFixture(t, blocking.Config{Workers: 1})
	gate, aborts := make(chan struct{}), 0
	s.fiber("gives up", func(f *stackful.Fiber) error {
		_, err := f.OperateUntil(func(tok fiber.Token) error {
			return s.pool.SubmitAbortable(tok, func(context.Context) (any, error) { <-gate; return nil, nil },
				func() { aborts++; close(gate) })
		}, f.Within(time.Millisecond))
		assert.ErrorIs(t, err, stackful.ErrTimeout)
		return nil
	})
	s.fiber("next", func(f *stackful.Fiber) error { // needs the only worker, which the abort frees
		_, err := s.do(f, func(context.Context) (any, error) { return nil, nil }, fiber.Never)
		return err
	})
	s.run()
	assert.Equal(t, 1, aborts)
	c := s.rt.Scheduler().Ops().Counters()
	assert.Equal(t, c.Submitted, c.Completed+c.Late)
}

func TestSubmitRefusesATokenOfNoOperation(t *testing.T) {
	s := newFixture(t, blocking.Config{})
	for _, tok := range []fiber.Token{0, 1, 1<<24 - 1, 1<<64 - 1} {
		assert.ErrorIs(t, s.pool.Submit(tok, until), ioqueue.ErrUnknownToken)
	}
	queued, running := s.pool.Load()
	assert.Zero(t, queued+running)
}
