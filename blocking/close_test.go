package blocking_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// abandon starts so many jobs, and ends the run when ready returns.
func (s *fixture) abandon(jobs int, work blocking.Work, ready func()) {
	s.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	for n := range jobs {
		s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			_, err := s.do(f, work, fiber.Never)
			assert.Error(s, err)
			return nil
		})
	}
	s.fiber("ends the run", func(f *stackful.Fiber) error {
		defer cancel()
		_, err := s.do(f, func(context.Context) (any, error) { ready(); return nil, nil }, fiber.Never)
		return err
	})
	require.ErrorIs(s, s.rt.Run(ctx), context.Canceled)
}

func TestCloseWaitsForRunningWork(t *testing.T) {
	s := newFixture(t, blocking.Config{Workers: 3})
	gate := make(chan struct{})
	s.abandon(2, func(context.Context) (any, error) { <-gate; return nil, nil }, func() {})
	close(gate)
	finished, cancelled, stragglers, err := s.pool.CloseCounted(context.Background())
	require.NoError(t, err)
	assert.Equal(t, 2, finished+cancelled+len(stragglers))
	assert.ErrorIs(t, s.pool.Submit(1, until), blocking.ErrClosed)
	finished, cancelled, stragglers, err = s.pool.CloseCounted(context.Background())
	assert.NoError(t, err)
	assert.Zero(t, finished+cancelled+len(stragglers))
}

func TestCloseCancelsRunningWorkWhenItsContextEnds(t *testing.T) {
	s := newFixture(t, blocking.Config{Workers: 4})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	s.abandon(3, until, func() {})
	finished, cancelled, _, err := s.pool.CloseCounted(ended)
	require.NoError(t, err)
	assert.Zero(t, finished)
	assert.LessOrEqual(t, cancelled, 3) // the end of the run may have cancelled some before
	queued, running := s.pool.Load()
	assert.Zero(t, queued+running)
}

func TestCloseNamesTheTokensOfWorkThatDoesNotStop(t *testing.T) {
	s := newFixture(t, blocking.Config{Workers: 2})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	gate, began := make(chan struct{}), make(chan struct{})
	s.abandon(1, func(context.Context) (any, error) { close(began); <-gate; return nil, nil }, func() { <-began })
	_, _, stragglers, err := s.pool.CloseCounted(ended)
	assert.ErrorIs(t, err, blocking.ErrStragglers)
	require.Len(t, stragglers, 1)
	assert.ErrorContains(t, err, fmt.Sprint(stragglers[0]))
	close(gate)
}

// Close completes work that has not begun by itself, without a worker.
func TestCloseCancelsQueuedWorkThoughEveryWorkerIsBlocked(t *testing.T) {
	const jobs = 40 // in several batches
	s := newFixture(t, blocking.Config{Workers: 1})
	ended, cancel := context.WithCancel(context.Background())
	gate, began := make(chan struct{}), make(chan struct{})
	for n := range jobs {
		s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			_, err := s.do(f, func(context.Context) (any, error) { close(began); <-gate; return nil, nil }, fiber.Never)
			assert.Error(s, err)
			return nil
		})
	}
	s.fiber("ends the run", func(f *stackful.Fiber) error {
		err := f.Yield() // the batches are handed over
		<-began
		cancel()
		return err
	})
	require.ErrorIs(t, s.rt.Run(ended), context.Canceled)
	finished, cancelled, stragglers, err := s.pool.CloseCounted(ended)
	assert.ErrorIs(t, err, blocking.ErrStragglers)
	assert.Len(t, stragglers, 1)
	assert.Equal(t, jobs-1, cancelled)
	assert.Zero(t, finished)
	close(gate)
}

// Deadlines, cancels and kills end the waits at random; each token completes exactly once (I12).
func TestEveryTokenCompletesOnce(t *testing.T) {
	const fibers, rounds = 100, 100
	s := newFixture(t, blocking.Config{Workers: 4})
	random := rand.New(rand.NewPCG(1, 2))
	var all []*stackful.Task
	for n := range fibers {
		all = append(all, s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			for range rounds {
				deadline := fiber.Never
				if random.IntN(3) == 0 {
					deadline = f.Within(time.Duration(random.IntN(3)) * 10 * time.Microsecond)
				}
				_, err := s.do(f, func(ctx context.Context) (any, error) { return nil, ctx.Err() }, deadline)
				if err != nil && !errors.Is(err, stackful.ErrTimeout) {
					return nil // cancelled or killed
				}
				if other := all[random.IntN(fibers)].ID(); random.IntN(400) == 0 {
					_ = s.rt.Scheduler().Kill(other, nil)
				} else if random.IntN(400) == 0 {
					_ = s.rt.Scheduler().Cancel(other, nil)
				}
			}
			return nil
		}))
	}
	s.run()
	err := s.pool.Close(context.Background())
	require.NoError(t, err)
	c := s.rt.Scheduler().Ops().Counters()
	assert.Equal(t, c.Submitted, c.Completed+c.Late)
	assert.Greater(t, c.Submitted, uint64(fibers*rounds/4))
	assert.Zero(t, c.Duplicate+c.Unknown)
}

// The goroutine that replaces the exited worker may find the pool closed and end before the
// result of the exited one is published.
func TestCloseWaitsForWorkThatCallsGoexit(t *testing.T) {
	for n := range 20 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newFixture(t, blocking.Config{Workers: 2})
			gate, began := make(chan struct{}), make(chan struct{})
			s.abandon(1, func(context.Context) (any, error) {
				close(began)
				<-gate
				runtime.Goexit()
				return nil, nil
			}, func() { <-began })
			close(gate)
			err := s.pool.Close(context.Background())
			require.NoError(t, err)
		})
	}
}
