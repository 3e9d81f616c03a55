package reactor_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/stretchr/testify/assert"
)

// Fibers that submit in the same turn have their work handed over as one batch. The piece in
// the middle goes on until as many others are done as can be.
func TestAPieceThatBlocksHoldsUpNeitherWhatIsDoneNorWhatAnotherWorkerCanDo(t *testing.T) {
	const pieces, slow = 20, 10
	for _, c := range []struct{ workers, others int }{{1, slow}, {2, pieces - 1}} {
		t.Run(fmt.Sprint(c.workers, " workers"), func(t *testing.T) {
			s := newShop(t, reactor.PoolConfig{Workers: c.workers})
			gate, done := make(chan struct{}), 0
			for n := range pieces {
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
			assert.Equal(t, pieces, done)
		})
	}
}

// One worker does all of it, or who takes its place.
func TestAPieceThatPanicsOrExitsLeavesTheRestOfItsBatchToBeDone(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{Workers: 1})
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
				var p *reactor.PanicError
				assert.ErrorAs(t, err, &p)
				assert.Equal(t, n, p.Value)
			case 1:
				assert.ErrorIs(t, err, reactor.ErrWorkExited)
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

// What nobody waits for any more never begins, whatever is around it in its batch.
func TestAPieceThatIsGivenUpBeforeItBeginsIsTakenOutOfItsBatch(t *testing.T) {
	const pieces, given = 20, 7
	s := newShop(t, reactor.PoolConfig{Workers: 1})
	gate := make(chan struct{})
	var tasks []*stackful.Task
	for n := range pieces {
		tasks = append(tasks, s.fiber(fmt.Sprint(n), func(f *stackful.Fiber) error {
			_, err := s.do(f, func(context.Context) (any, error) {
				<-gate
				assert.NotEqual(t, given, n, "it was given up")
				return nil, nil
			}, fiber.Never)
			assert.Equal(t, n == given, err != nil)
			return nil
		}))
	}
	s.fiber("gives one up", func(f *stackful.Fiber) error {
		if err := f.Yield(); err != nil { // they are handed over
			return err
		}
		queued, running := s.pool.Load()
		assert.Equal(t, pieces, queued+running)
		assert.LessOrEqual(t, running, 1)
		if err := s.rt.Scheduler().Cancel(tasks[given].ID(), nil); err != nil {
			return err
		}
		if err := f.Yield(); err != nil { // the pool is told
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

// The worker has all the time it needs to begin, if it were allowed to.
func TestAPieceThatIsGivenUpBeforeItIsHandedOverNeverBegins(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{Workers: 1})
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
	s.fiber("gives them up", func(f *stackful.Fiber) error {
		for _, task := range tasks {
			if err := f.Cancel(task, nil); err != nil {
				return err
			}
		}
		return nil
	})
	s.run()
	_, err := s.pool.Close(context.Background())
	assert.NoError(t, err)
	assert.False(t, begun.Load())
}
