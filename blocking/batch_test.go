package blocking_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
)

// Work that is submitted between two polls is one batch. The job in its middle blocks until as
// many others have ended as can: all before it with one worker, all others with two.
func TestABlockedJobDelaysNeitherFinishedJobsNorOtherWorkers(t *testing.T) {
	const jobs, slow = 20, 10
	for _, c := range []struct{ workers, others int }{{1, slow}, {2, jobs - 1}} {
		t.Run(fmt.Sprint(c.workers, " workers"), func(t *testing.T) {
			s := newFixture(t, blocking.Config{Workers: c.workers})
			gate, done := make(chan struct{}), 0
			for n := range jobs {
				s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
					v, err := s.do(f, func(context.Context) (any, error) {
						if n == slow {
							<-gate
						}
						return n, nil
					}, fiber.Never)
					assert.Equal(t, n, v)
					if done++; done == c.others {
						close(gate)
					}
					return err
				})
			}
			s.run()
			assert.Equal(t, jobs, done)
		})
	}
}

// One worker does all jobs, or the goroutine that replaces it.
func TestTheRestOfABatchRunsAfterAJobThatPanicsOrCallsGoexit(t *testing.T) {
	s := newFixture(t, blocking.Config{Workers: 1})
	for n := range 100 { // in several batches
		s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			v, err := s.do(f, func(context.Context) (any, error) {
				switch n % 3 {
				case 0:
					panic(n)
				case 1:
					runtime.Goexit()
				}
				return n, nil
			}, fiber.Never)
			switch n % 3 {
			case 0:
				var p *scheduler.PanicError
				assert.ErrorAs(t, err, &p)
				assert.Equal(t, n, p.Value)
			case 1:
				assert.ErrorIs(t, err, blocking.ErrGoexit)
			default:
				assert.NoError(t, err)
				assert.Equal(t, n, v)
			}
			return nil
		})
	}
	s.run()
	queued, running := s.pool.Load()
	assert.Zero(t, queued+running)
}

// The job is abandoned after its batch was handed over, while the only worker is blocked.
func TestAnAbandonedJobInABatchNeverBegins(t *testing.T) {
	const jobs, abandoned = 20, 7
	s := newFixture(t, blocking.Config{Workers: 1})
	gate := make(chan struct{})
	var tasks []*stackful.Task
	for n := range jobs {
		tasks = append(tasks, s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			_, err := s.do(f, func(context.Context) (any, error) {
				<-gate
				assert.NotEqual(t, abandoned, n, "an abandoned job began")
				return nil, nil
			}, fiber.Never)
			assert.Equal(t, n == abandoned, err != nil)
			return nil
		}))
	}
	s.fiber("cancels one", func(f *stackful.Fiber) error {
		if err := f.Yield(); err != nil { // the batch is handed over
			return err
		}
		queued, running := s.pool.Load()
		assert.Equal(t, jobs, queued+running)
		assert.LessOrEqual(t, running, 1)
		if err := s.rt.Scheduler().Cancel(tasks[abandoned].ID(), nil); err != nil {
			return err
		}
		if err := f.Yield(); err != nil { // the pool learns of the cancellation at this poll
			return err
		}
		close(gate)
		return nil
	})
	s.run()
	c := s.rt.Scheduler().Ops().Counters()
	assert.Equal(t, c.Submitted, c.Completed+c.Late)
	assert.EqualValues(t, 1, c.Late)
}

// The abort function gives the worker time to begin, which it must not.
func TestAJobAbandonedBeforeItIsHandedOverNeverBegins(t *testing.T) {
	s := newFixture(t, blocking.Config{Workers: 1})
	var begun atomic.Bool
	work := func(context.Context) (any, error) { begun.Store(true); return nil, nil }
	abort := func() {
		for n := 0; n < 10_000 && !begun.Load(); n++ {
			runtime.Gosched()
		}
	}
	var tasks []*stackful.Task
	for n := range 3 {
		tasks = append(tasks, s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			_, err := f.Operate(func(tok fiber.Token) error { return s.pool.SubmitAbortable(tok, work, abort) })
			assert.Error(t, err)
			return nil
		}))
	}
	s.fiber("cancels them", func(f *stackful.Fiber) error {
		for _, task := range tasks {
			if err := f.Cancel(task, nil); err != nil {
				return err
			}
		}
		return nil
	})
	s.run()
	err := s.pool.Close(context.Background())
	assert.NoError(t, err)
	assert.False(t, begun.Load())
}

// The host completes an operation itself while its work still runs, which frees the token's
// slot. When the slot's next user times out, the first user's work must not be cancelled.
func TestTheNextUserOfATokenSlotDoesNotCancelTheWorkOfTheLast(t *testing.T) {
	s := newFixture(t, blocking.Config{})
	began, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	var first fiber.Token
	s.fiber("first user", func(f *stackful.Fiber) error {
		_, err := f.Operate(func(tok fiber.Token) error {
			first = tok
			return s.pool.Submit(tok, func(ctx context.Context) (any, error) {
				close(began)
				<-release
				ended <- ctx.Err()
				return nil, nil
			})
		})
		return err
	})
	s.fiber("next user", func(f *stackful.Fiber) error {
		if _, err := s.do(f, func(context.Context) (any, error) { <-began; return nil, nil }, fiber.Never); err != nil {
			return err
		}
		s.rt.Scheduler().Ops().Complete(first, ioqueue.Completion{})
		if err := f.Yield(); err != nil { // the first user gets its completion
			return err
		}
		_, err := f.OperateUntil(func(tok fiber.Token) error {
			assert.Equal(t, ioqueue.SlotOf(first), ioqueue.SlotOf(tok), "the slot is not used again")
			return nil // no pool does this operation: it never completes
		}, f.Within(time.Millisecond))
		assert.ErrorIs(t, err, stackful.ErrTimeout)
		if err := f.Yield(); err != nil { // the pool learns that the operation is abandoned
			return err
		}
		close(release)
		_, err = s.do(f, func(context.Context) (any, error) { return nil, <-ended }, fiber.Never)
		assert.NoError(t, err, "the work of the slot's first user was cancelled")
		return nil
	})
	s.run()
}
