package pool

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// testTimeout is a context that ends long after every promise here should have been kept.
func testTimeout(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// newScheduler makes a scheduler that belongs to no pool.
func newScheduler(number uint16) *scheduler.Scheduler[fiberFunc] {
	return scheduler.New[fiberFunc](scheduler.Config{Number: number})
}

// everyPool is a pool without a registry, and one of islands.
func everyPool(t *testing.T, tell func(t *testing.T, p *Pool[fiberFunc])) {
	t.Helper()
	for name, r := range map[string]*island.Registry{"a pool": nil, "a pool of islands": {SelfContained: true}} {
		t.Run(name, func(t *testing.T) { tell(t, newTestPool(t, Config[fiberFunc]{Workers: 2, Registry: r})) })
	}
}

// awaited spawns a fiber and one that waits for its end.
func awaited(s *scheduler.Scheduler[fiberFunc], do, after fiberFunc) fiber.RegularID {
	cell := new(ioqueue.Cell)
	id, _ := s.SpawnWith(do, scheduler.Options{Movable: true, Cell: cell})
	_, _ = s.SpawnWith(func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
		if cell.Completed() {
			s.Claim()
			return after(s, worker)
		}
		return joins(cell)(s, worker)
	}, scheduler.Options{Name: "the joiner"})
	return id
}

func ends(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done }

// allIdle tells whether every worker sleeps, and the coordinator has checked whether the pool has ended.
func (h *coordinator[T]) allIdle() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.idle) == len(h.workers)
}

// look has every island start a probe, and waits until they have had the time for
// every question and answer there can be.
func look(ctx context.Context, p *Pool[fiberFunc]) {
	for round := range 8 {
		for _, w := range p.workers {
			done := make(chan struct{})
			if err := w.s.Inbox().Do(func() {
				if round == 0 {
					w.island.Probe()
				}
				close(done)
			}); err != nil {
				return // it has ended
			}
			select {
			case <-done:
			case <-ctx.Done():
				return
			}
		}
	}
}

// goesOutside takes a fiber for whose end another waits out of worker 0. It ends in a scheduler
// outside when all workers sleep and have found out what they can.
func goesOutside(t *testing.T, ctx context.Context, p *Pool[fiberFunc], after fiberFunc) (over <-chan struct{}) {
	t.Helper()
	m, err := p.schedulers[0].Moves().MoveOut(awaited(p.schedulers[0], ends, after))
	require.NoError(t, err)
	outside := newScheduler(900)
	there, err := outside.Moves().MoveIn(m)
	require.NoError(t, err)
	told := make(chan struct{})
	go func() {
		defer close(told)
		for !p.shared.allIdle() && ctx.Err() == nil {
			runtime.Gosched()
		}
		if p.cfg.Registry != nil {
			look(ctx, p)
		}
		_ = outside.Kill(there.ID(), nil) // it lives: nothing runs it
		outside.Poll()
	}()
	return told
}

// The fiber that is waited for ends in a scheduler outside: the pool goes on until then.
func TestThePoolWaitsForAFiberThatWasMovedOut(t *testing.T) {
	everyPool(t, func(t *testing.T, p *Pool[fiberFunc]) {
		ctx, went := testTimeout(t), false
		over := goesOutside(t, ctx, p, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
			went = true
			return done
		})
		require.NoError(t, p.Run(ctx))
		<-over
		require.True(t, went)
	})
}

// A worker that waits at a port is not in a deadlock while another may yet send.
func TestNoDeadlockWhileAFiberOutsideCanWakeAWorker(t *testing.T) {
	p := newIslandPool(t, &island.Registry{SelfContained: true}, Config[fiberFunc]{Workers: 2})
	ctx, got := testTimeout(t), 0
	port := opened(t, p.Island(1), "b")
	_, err := p.schedulers[1].Spawn(receives(port, func(v int) { got = v }))
	require.NoError(t, err)
	to, err := island.Dial[int](p.Island(0), "b")
	require.NoError(t, err)
	over := goesOutside(t, ctx, p, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		_, _ = to.TrySend(7) // got says whether
		return done
	})
	require.NoError(t, p.Run(ctx))
	<-over
	require.Equal(t, 7, got)
}
