package reactor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/blocking"
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// work is an operation that a blocking.Pool does.
type work struct {
	pool *blocking.Pool
	do   func(ctx context.Context) int
}

func (op work) Begin(s *sched, p *payload) {
	tok, err := s.Ops().Submit()
	if err == nil {
		err = op.pool.Submit(tok, func(ctx context.Context) (any, error) { return op.do(ctx), nil })
	}
	if err != nil {
		p.ok = false
		return
	}
	p.token = tok
	s.Arm(fiber.OnIO(tok))
}

func (op work) End(s *sched, p *payload, _ fiber.Ticket, r fiber.Result) {
	if p.ok, p.ended = r.Code == fiber.OK, r.Code; p.ok {
		done, _ := s.Ops().Completion(p.token)
		p.got = done.Value.(int)
	}
}

func TestBlockingWorkRunsBesideSlices(t *testing.T) {
	for _, workers := range []int{0, 3} {
		r, err := reactor.New(reactor.Config{Workers: workers, IOWorkers: 2}, stepMachine{})
		require.NoError(t, err)
		done := make(chan struct{})
		spawn(t, r, 0, func(s *slice) fiber.Outcome {
			return s.Await(work{r.IO(), func(context.Context) int { <-done; return 9 }})
		}, then(func(s *slice) {
			assert.Equal(t, 9, s.Data.got)
			s.Do(func(*sched) { r.Scheduler().Steps().KillAll(errAll) })
		}))
		_, err = run(r, then(func(*slice) { close(done) }), receives(wait.NewChan[int](0)))
		assert.ErrorIs(t, err, errAll)
	}
}

var errAll = errors.New("all of them")
