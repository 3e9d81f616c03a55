package reactor_test

import (
	"context"
	"errors"
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var long = flag.Bool("long", false, "hammer for an hour, be idle for five seconds")

// work is an operation that a worker of the pool does.
type work struct {
	pool *reactor.Pool
	do   func(ctx context.Context) int
}

func (op work) Begin(s *sched, p *player) {
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

func (op work) End(s *sched, p *player, _ fiber.Ticket, r fiber.Result) {
	if p.ok, p.ended = r.Code == fiber.OK, r.Code; p.ok {
		done, _ := s.Ops().Completion(p.token)
		p.got = done.Value.(int)
	}
}

func TestBlockingWorkIsDoneWhileSlicesRun(t *testing.T) {
	for _, workers := range []int{0, 3} {
		r, err := reactor.New(reactor.Config{Workers: workers, IO: reactor.PoolConfig{Workers: 2}}, theatre{})
		require.NoError(t, err)
		done := make(chan struct{})
		enlist(t, r, 0, func(s *slice) fiber.Outcome {
			return s.Await(work{r.IO(), func(context.Context) int { <-done; return 9 }})
		}, then(func(s *slice) { assert.Equal(t, 9, s.Data.got); s.Do(func(*sched) { r.Scheduler().Steps().KillAll(errAll) }) }))
		_, err = run(r, then(func(*slice) { close(done) }), receives(wait.NewChan[int](0)))
		assert.ErrorIs(t, err, errAll)
	}
}

var errAll = errors.New("all of them")

// Nobody waits for it any more when main has returned: its context ends, and the run with it.
func TestTheRunEndsTheWorkThatIsLeft(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 1, Drain: time.Minute})
	begun := make(chan struct{})
	var cause error
	enlist(t, r, 0, func(s *slice) fiber.Outcome {
		return s.Await(work{r.IO(), func(ctx context.Context) int {
			close(begun)
			<-ctx.Done()
			cause = context.Cause(ctx)
			return 0
		}})
	})
	_, err := run(r, sleeps(1), func(*slice) fiber.Outcome { <-begun; return fiber.Outcome{Kind: fiber.TimesliceExpired} })
	require.NoError(t, err)
	assert.ErrorIs(t, cause, reactor.ErrAbandoned)
}

// While others spin, what is posted from outside is served within a turn.
func TestPostedWorkIsServedWhileFibersSpin(t *testing.T) {
	for _, workers := range []int{0, 2} {
		const inFlight = 4
		r := newReactor(t, reactor.Config{Workers: workers, InFlight: inFlight})
		applied, worst, served := 0, 0, 0
		spin := func(s *slice) fiber.Outcome {
			s.Data.at = 0
			posted := 0
			s.Do(func(*sched) { applied++; posted = applied })
			s.Do(func(*sched) {
				_ = r.Scheduler().Inbox().Do(func() { worst = max(worst, applied-posted); served++ })
			})
			return fiber.Outcome{Kind: fiber.TimesliceExpired}
		}
		for range 50 {
			enlist(t, r, 0, spin)
		}
		_, err := run(r, untilServed(&served, 1000))
		require.NoError(t, err)
		assert.LessOrEqual(t, worst, inFlight)
		assert.GreaterOrEqual(t, served, 1000)
	}
}

// untilServed yields until the owner has counted that far.
func untilServed(served *int, enough int) func(*slice) fiber.Outcome {
	return func(s *slice) fiber.Outcome {
		s.Data.at--
		data := s.Data
		s.Do(func(*sched) {
			if *served >= enough {
				data.at++
			}
		})
		return fiber.Outcome{Kind: fiber.TimesliceExpired}
	}
}

// A timer is served while slices run, not when they leave room for it.
func TestASleeperWakesWhileEveryWorkerIsBusy(t *testing.T) {
	r := newReactor(t, reactor.Config{Workers: 1, InFlight: 2, Slice: time.Hour})
	woke := make(chan struct{})
	id := enlist(t, r, 0, func(s *slice) fiber.Outcome {
		return fiber.BlockOn(fiber.Until(s.Now.After(time.Millisecond)))
	})
	enlist(t, r, 0, then(func(*slice) { <-woke }))
	inbox := r.Scheduler().Inbox()
	var look func()
	look = func() {
		if r.Scheduler().Inspect().State(id.ID()) != fiber.Blocked {
			close(woke)
			return
		}
		runtime.Gosched()
		_ = inbox.Do(look)
	}
	require.NoError(t, inbox.Do(look))
	_, err := run(r, waitsFor(id))
	require.NoError(t, err)
}
