package reactor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// shop is a runtime whose fibers have blocking work done for them.
type shop struct {
	*testing.T
	rt   *stackful.Runtime
	pool *reactor.Pool
}

func newShop(t *testing.T, cfg reactor.PoolConfig) *shop {
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: reactor.NewWallClock(), MaxTokens: 1 << 12}})
	pool, err := reactor.NewPool(&rt.Scheduler().Core, cfg)
	require.NoError(t, err)
	s := &shop{t, rt, pool}
	t.Cleanup(func() {
		rt.Close()
		_, _ = pool.Close(context.Background())
		goleak.VerifyNone(t)
	})
	return s
}

// fiber spawns one; its error fails the test.
func (s *shop) fiber(name string, body func(f *stackful.Fiber) error) *stackful.Task {
	s.Helper()
	task, err := s.rt.Go(name, func(f *stackful.Fiber) (any, error) { return nil, body(f) })
	require.NoError(s, err)
	return task
}

func (s *shop) run() {
	s.Helper()
	require.NoError(s, s.rt.Run(context.Background()))
}

// do has the work done and waits for it.
func (s *shop) do(f *stackful.Fiber, work reactor.Work, deadline fiber.Time) (any, error) {
	done, err := f.OperateUntil(func(tok fiber.Token) error { return s.pool.Submit(tok, work) }, deadline)
	if err != nil {
		return nil, err
	}
	return done.Value, done.Err
}

// until blocks the way a system call does that watches its context.
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

func TestWorkBlocksItsWorkerAndNobodyElse(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{})
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

func TestWhateverWorkDoesIsAResultOfTheFiberThatWaits(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, c := range map[string]struct {
		work  reactor.Work
		value any
		check func(t *testing.T, err error)
	}{
		"it returns": {func(context.Context) (any, error) { return 7, nil }, 7, func(t *testing.T, err error) { assert.NoError(t, err) }},
		"it fails":   {func(context.Context) (any, error) { return nil, broken }, nil, func(t *testing.T, err error) { assert.ErrorIs(t, err, broken) }},
		"it panics": {func(context.Context) (any, error) { panic(broken) }, nil, func(t *testing.T, err error) {
			var p *reactor.PanicError
			require.ErrorAs(t, err, &p)
			assert.ErrorIs(t, err, broken)
			assert.Contains(t, string(p.Stack), "pool_test.go")
		}},
		"it panics with no error": {func(context.Context) (any, error) { panic(5) }, nil, func(t *testing.T, err error) {
			assert.ErrorContains(t, err, "panic on a worker: 5")
		}},
		"it exits": {func(context.Context) (any, error) { runtime.Goexit(); return 1, nil }, nil, func(t *testing.T, err error) {
			assert.ErrorIs(t, err, reactor.ErrWorkExited)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, reactor.PoolConfig{Workers: 1}) // the worker must survive it
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

func TestAWaitThatEndsEndsTheContextOfItsWork(t *testing.T) {
	for name, end := range map[string]func(s *shop, f *stackful.Fiber, task *stackful.Task) error{
		"its deadline": func(*shop, *stackful.Fiber, *stackful.Task) error { return nil },
		"a cancel": func(s *shop, f *stackful.Fiber, task *stackful.Task) error {
			return s.rt.Scheduler().Cancel(task.ID(), nil)
		},
		"a kill": func(s *shop, f *stackful.Fiber, task *stackful.Task) error {
			return s.rt.Scheduler().Kill(task.ID(), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, reactor.PoolConfig{})
			var once sync.Once
			began, causes := make(chan struct{}), make(chan error, 1)
			work := func(ctx context.Context) (any, error) {
				once.Do(func() { close(began) })
				_, err := until(ctx)
				select {
				case causes <- err:
				default: // an earlier try has told
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
				assert.ErrorIs(t, err, reactor.ErrAbandoned)
				return nil
			})
			s.run()
		})
	}
}

func TestNoMoreWorkIsUnderWayThanThereAreWorkers(t *testing.T) {
	const most, pieces = 3, 200
	s := newShop(t, reactor.PoolConfig{Workers: most})
	var mu sync.Mutex
	now, peak := 0, 0
	for n := range pieces {
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

// More work than the scheduler allows operations blocks the fibers that want it done, and
// nobody else: each has its turn, none is refused.
func TestWorkBeyondTheLimitOfOperationsWaitsAndIsAllDone(t *testing.T) {
	const most, fibers = 3, 50
	rt := stackful.New(stackful.Config{Config: scheduler.Config{Clock: reactor.NewWallClock(), MaxTokens: most}})
	pool, err := reactor.NewPool(&rt.Scheduler().Core, reactor.PoolConfig{Workers: 2})
	require.NoError(t, err)
	s := &shop{t, rt, pool}
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
	_, err = pool.Close(context.Background())
	require.NoError(t, err)
	assert.IsIncreasing(t, order)
	assert.Len(t, order, fibers)
}

// A worker for every piece: none waits behind one that does not end, however many there
// are; and when they have ended, most of the workers have, too.
func TestAnUnlimitedPoolLetsNoWorkWaitBehindAnother(t *testing.T) {
	const pieces = 500
	s := newShop(t, reactor.PoolConfig{Workers: reactor.Unlimited})
	gate := make(chan struct{})
	var in sync.WaitGroup
	in.Add(pieces)
	for range pieces {
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

// What cannot watch a context is told by its abort, once.
func TestWorkThatNobodyWaitsForIsAborted(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{Workers: 1})
	gate, aborts := make(chan struct{}), 0
	s.fiber("gives up", func(f *stackful.Fiber) error {
		_, err := f.OperateUntil(func(tok fiber.Token) error {
			return s.pool.SubmitAbortable(tok, func(context.Context) (any, error) { <-gate; return nil, nil },
				func() { aborts++; close(gate) })
		}, f.Within(time.Millisecond))
		assert.ErrorIs(t, err, stackful.ErrTimeout)
		return nil
	})
	s.fiber("next", func(f *stackful.Fiber) error { // has the worker when the other has let go
		_, err := s.do(f, func(context.Context) (any, error) { return nil, nil }, fiber.Never)
		return err
	})
	s.run()
	assert.Equal(t, 1, aborts)
	c := s.rt.Scheduler().Ops().Counters()
	assert.Equal(t, c.Submitted, c.Completed+c.Late)
}

func TestNegativeLimitsAreRefusedByName(t *testing.T) {
	rt := stackful.New(stackful.Config{})
	defer rt.Close()
	_, err := reactor.NewPool(&rt.Scheduler().Core, reactor.PoolConfig{Workers: -1})
	assert.ErrorContains(t, err, "a pool of -1 workers: want 0 (the default, 64) or more")
}

func TestWorkForATokenOfNothingIsRefused(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{})
	for _, tok := range []fiber.Token{0, 1, 1<<24 - 1, 1<<64 - 1} {
		assert.ErrorIs(t, s.pool.Submit(tok, until), ioqueue.ErrUnknownToken)
	}
	queued, running := s.pool.Load()
	assert.Zero(t, queued+running)
}
