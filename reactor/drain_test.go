package reactor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// abandon starts pieces of work, and ends the run as soon as ready says so.
func (s *shop) abandon(pieces int, work reactor.Work, ready func()) {
	s.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	for n := range pieces {
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

func TestClosingWaitsForWorkThatIsUnderWay(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{Workers: 3})
	gate := make(chan struct{})
	s.abandon(2, func(context.Context) (any, error) { <-gate; return nil, nil }, func() {})
	close(gate)
	d, err := s.pool.Close(context.Background())
	require.NoError(t, err)
	assert.Equal(t, 2, d.Finished+d.Cancelled)
	assert.ErrorIs(t, s.pool.Submit(1, until), reactor.ErrPoolClosed)
	d, err = s.pool.Close(context.Background())
	assert.NoError(t, err)
	assert.Zero(t, d)
}

func TestClosingWithADeadlineCancelsWhatHasNotEnded(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{Workers: 4})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	s.abandon(3, until, func() {})
	d, err := s.pool.Close(ended)
	require.NoError(t, err)
	assert.Zero(t, d.Finished)
	assert.LessOrEqual(t, d.Cancelled, 3) // some may have heard of it while the run ended
	queued, running := s.pool.Load()
	assert.Zero(t, queued+running)
}

func TestClosingNamesWorkThatDoesNotStop(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{Workers: 2})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	gate, began := make(chan struct{}), make(chan struct{})
	s.abandon(1, func(context.Context) (any, error) { close(began); <-gate; return nil, nil }, func() { <-began })
	d, err := s.pool.Close(ended)
	assert.ErrorIs(t, err, reactor.ErrStragglers)
	assert.Len(t, d.Stragglers, 1)
	assert.ErrorContains(t, err, fmt.Sprint(d.Stragglers[0]))
	close(gate)
}

// What nobody has begun has nothing to stop: that all workers are held up does not make it
// go on.
func TestClosingCancelsWhatHasNotBegunBehindWorkThatDoesNotStop(t *testing.T) {
	const pieces = 40 // in several batches
	s := newShop(t, reactor.PoolConfig{Workers: 1})
	ended, cancel := context.WithCancel(context.Background())
	gate, began := make(chan struct{}), make(chan struct{})
	for n := range pieces {
		s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			_, err := s.do(f, func(context.Context) (any, error) { close(began); <-gate; return nil, nil }, fiber.Never)
			assert.Error(s, err)
			return nil
		})
	}
	s.fiber("ends the run", func(f *stackful.Fiber) error {
		err := f.Yield() // they are handed over
		<-began
		cancel()
		return err
	})
	require.ErrorIs(t, s.rt.Run(ended), context.Canceled)
	d, err := s.pool.Close(ended)
	assert.ErrorIs(t, err, reactor.ErrStragglers)
	assert.Len(t, d.Stragglers, 1)
	assert.Equal(t, pieces-1, d.Cancelled)
	assert.Zero(t, d.Finished)
	close(gate)
}

// Whatever ends the waits, every token that was given out ends exactly once (I12).
func TestEveryTokenEndsOnce(t *testing.T) {
	const fibers, rounds = 100, 100
	s := newShop(t, reactor.PoolConfig{Workers: 4})
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
	_, err := s.pool.Close(context.Background())
	require.NoError(t, err)
	c := s.rt.Scheduler().Ops().Counters()
	assert.Equal(t, c.Submitted, c.Completed+c.Late)
	assert.Greater(t, c.Submitted, uint64(fibers*rounds/4))
	assert.Zero(t, c.Duplicate+c.Unknown)
}

// A worker that its work exits has its place taken, and who takes it may find the pool
// closed and be gone before the first has said what became of its work.
func TestWorkThatExitsHasEndedWhenThePoolIsClosed(t *testing.T) {
	for n := range 20 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newShop(t, reactor.PoolConfig{Workers: 2})
			gate, began := make(chan struct{}), make(chan struct{})
			s.abandon(1, func(context.Context) (any, error) {
				close(began)
				<-gate
				runtime.Goexit()
				return nil, nil
			}, func() { <-began })
			close(gate)
			_, err := s.pool.Close(context.Background())
			require.NoError(t, err)
		})
	}
}
