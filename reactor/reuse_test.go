package reactor_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/stackful"
)

// An operation that somebody else completed has its number free again while its work goes
// on. Whoever gets the number next may give up; that is none of the work's business.
func TestTheNextUserOfANumberDoesNotEndTheWorkOfTheLast(t *testing.T) {
	s := newShop(t, reactor.PoolConfig{})
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
		if err := f.Yield(); err != nil { // the first user takes that
			return err
		}
		_, err := f.OperateUntil(func(tok fiber.Token) error {
			assert.Equal(t, ioqueue.SlotOf(first), ioqueue.SlotOf(tok), "the number is not used again")
			return nil // it belongs to no pool, and never ends
		}, f.Within(time.Millisecond))
		assert.ErrorIs(t, err, stackful.ErrTimeout)
		if err := f.Yield(); err != nil { // the pool is told that nobody waits any more
			return err
		}
		close(release)
		_, err = s.do(f, func(context.Context) (any, error) { return nil, <-ended }, fiber.Never)
		assert.NoError(t, err, "the context of the first user's work has ended")
		return nil
	})
	s.run()
}
