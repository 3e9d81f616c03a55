package island

import (
	"context"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/stretchr/testify/require"
)

// soon is a context that ends long after every promise here should have been kept.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// alone is a scheduler that belongs to no pool.
func alone(number uint16) *scheduler.Scheduler[chore] {
	return scheduler.New[chore](scheduler.Config{Number: number})
}

// everyPool is a pool without a registry, and one of islands.
func everyPool(t *testing.T, tell func(t *testing.T, p *Pool[chore])) {
	t.Helper()
	for name, r := range map[string]*Registry{"a pool": nil, "a pool of islands": {SelfContained: true}} {
		t.Run(name, func(t *testing.T) { tell(t, newTeam(t, PoolConfig[chore]{Workers: 2, Registry: r})) })
	}
}

// awaited spawns a fiber and one that waits for its end.
func awaited(s *scheduler.Scheduler[chore], do, after chore) fiber.RegularID {
	cell := new(ioqueue.Cell)
	id, _ := s.SpawnWith(do, scheduler.Options{Movable: true, Cell: cell})
	_, _ = s.SpawnWith(func(s *scheduler.Scheduler[chore], worker int) fiber.Outcome {
		if cell.Completed() {
			return after(s, worker)
		}
		return joins(cell)(s, worker)
	}, scheduler.Options{Name: "the joiner"})
	return id
}

func ends(*scheduler.Scheduler[chore], int) fiber.Outcome { return done }

// asleep calls back when all workers have been asleep for longer than islands sleep before they
// look for a deadlock.
func asleep(then func()) (over <-chan struct{}) {
	told := make(chan struct{})
	time.AfterFunc(3*DefaultProbeAfter, func() {
		defer close(told)
		then()
	})
	return told
}

// The end that somebody waits for comes from a scheduler outside: the pool goes on until then.
func TestAFiberThatWasTakenOutOfAPoolIsWaitedFor(t *testing.T) {
	everyPool(t, func(t *testing.T, p *Pool[chore]) {
		outside, went := alone(900), false
		m, err := p.Scheduler(0).MoveOut(awaited(p.Scheduler(0), ends, func(*scheduler.Scheduler[chore], int) fiber.Outcome {
			went = true
			return done
		}))
		require.NoError(t, err)
		there, err := outside.MoveIn(m)
		require.NoError(t, err)
		over := asleep(func() {
			_ = outside.Kill(there.ID(), nil)
			outside.Poll()
		})
		require.NoError(t, p.Run(soon(t)))
		<-over
		require.True(t, went)
	})
}

// A worker that waits at a port is not convicted while another may yet send.
func TestWhoMaySendAfterTheEndOfAFiberOutsideIsNotInDeadlock(t *testing.T) {
	p := fleet(t, &Registry{SelfContained: true}, PoolConfig[chore]{Workers: 2})
	got, outside := 0, alone(900)
	port := opened(t, p.Island(1), "b")
	_, _ = p.Scheduler(1).Spawn(receives(port, func(v int) { got = v }))
	to, err := Dial[int](p.Island(0), "b")
	require.NoError(t, err)
	m, err := p.Scheduler(0).MoveOut(awaited(p.Scheduler(0), ends, func(*scheduler.Scheduler[chore], int) fiber.Outcome {
		_, _ = to.TrySend(7)
		return done
	}))
	require.NoError(t, err)
	there, err := outside.MoveIn(m)
	require.NoError(t, err)
	over := asleep(func() {
		_ = outside.Kill(there.ID(), nil)
		outside.Poll()
	})
	require.NoError(t, p.Run(soon(t)))
	<-over
	require.Equal(t, 7, got)
}
