package pool

import (
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// receives is a fiberFunc that waits for a value at the port and then does then.
func receives(p *island.Port[int], then func(v int)) fiberFunc {
	waited := false
	return func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		v, status := 0, wait.Received
		if waited {
			t, _ := s.Claim()
			v, _ = p.Collect(t)
		} else if v, status = p.TryRecv(); status == wait.Empty {
			waited = true
			if err := p.ParkRecv(s.ArmOn(p.Source()), 0); err != nil {
				panic(err)
			}
			return fiber.BlockOn(fiber.OnQueue())
		}
		then(v)
		return done
	}
}

// newIslandPool is a pool whose workers are islands of a registry.
func newIslandPool(t *testing.T, r *island.Registry, cfg Config[fiberFunc]) *Pool[fiberFunc] {
	t.Helper()
	cfg.Registry = r
	return newTestPool(t, cfg)
}

func opened(t *testing.T, i *island.Island, name string) *island.Port[int] {
	t.Helper()
	p, err := island.Open[int](i, name, 4)
	require.NoError(t, err)
	return p
}

// Each worker waits for a number, and tells the island what it is twice.
func TestWorkersAreIslandsWithPortsAndPrograms(t *testing.T) {
	r := new(island.Registry)
	p := newIslandPool(t, r, Config[fiberFunc]{Workers: 3, Spawn: map[string]func([]byte) (fiberFunc, scheduler.Options, error){
		"end": func(args []byte) (fiberFunc, scheduler.Options, error) {
			if len(args) != 4 {
				return nil, scheduler.Options{}, errors.New("want 4 bytes")
			}
			return func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
				if n := int(binary.LittleEndian.Uint32(args)); n != worker {
					t.Errorf("worker %d runs what is for %d", worker, n)
				}
				return done
			}, scheduler.Options{}, nil
		},
	}})
	got := make(chan int, 3)
	for i := range p.workers {
		port := opened(t, p.Island(i), p.Island(i).Name())
		_, err := p.schedulers[i].Spawn(receives(port, func(v int) { got <- 2 * v }))
		require.NoError(t, err)
	}
	over := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { over <- p.Run(ctx) }()
	outside, err := island.Start(r, island.StartConfig[fiberFunc]{
		Config: island.Config{Name: "outside"},
		Machine: scheduler.MachineFunc[fiberFunc](func(s *scheduler.Scheduler[fiberFunc], f *scheduler.Fiber[fiberFunc]) fiber.Outcome {
			return f.Data(s, 0)
		}),
		Begin: func(h *island.Handle[fiberFunc]) error {
			for k, name := range []string{"worker 0", "worker 1", "worker 2"} {
				s, err := island.Dial[int](h.Island, name)
				if err != nil {
					return err
				}
				if _, err = s.TrySend(k + 1); err != nil {
					return err
				}
			}
			return nil
		},
	})
	require.NoError(t, err)
	require.Equal(t, 12, <-got+<-got+<-got)
	require.NoError(t, outside.Wait(t.Context()))

	second, err := r.Find("worker 1")
	require.NoError(t, err)
	_, err = second.Do(ctx, island.Spawn(second.Address(), "end", []byte{1, 0, 0, 0}))
	require.NoError(t, err)
	_, err = second.Do(ctx, island.Spawn(second.Address(), "end", nil))
	require.ErrorContains(t, err, "want 4 bytes")
	_, err = second.Do(ctx, island.Shutdown(second.Address(), "that is all"))
	require.NoError(t, err)
	require.EqualError(t, <-over, "that is all", "the shutdown of one worker is that of the pool")
	require.Empty(t, r.Islands())
	require.ErrorIs(t, second.Post(island.Shutdown(second.Address(), "again")), island.ErrDown)
	checkConserved(t, p)
}

func TestAPoolThatCannotJoinLeavesTheRegistryEmpty(t *testing.T) {
	r := new(island.Registry)
	cfg := Config[fiberFunc]{Workers: 3, Registry: r, Machine: func(int) scheduler.Machine[fiberFunc] { return scheduler.MachineFunc[fiberFunc](nil) },
		Island: func(worker int) island.Config { return island.Config{Name: []string{"a", "b", "a"}[worker]} }}
	_, err := New(cfg)
	require.ErrorIs(t, err, island.ErrTaken)
	require.Empty(t, r.Islands())
}

// The pool waits for an island which waits for the pool; a third worker has nothing to do.
// All of them leave, each of which closes what others wait at: they stay as the report says.
func TestADeadlockOfAPoolAndAnIslandIsReported(t *testing.T) {
	r := &island.Registry{SelfContained: true}
	p := newIslandPool(t, r, Config[fiberFunc]{Workers: 3})
	never := func(int) { t.Error("something was received") }
	mine := opened(t, p.Island(1), "to the pool")
	id, _ := p.schedulers[1].SpawnWith(receives(mine, never), scheduler.Options{Name: "waits in the pool"})
	_, _ = p.schedulers[2].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue())
	}, scheduler.Options{Name: "blocked"})
	outside, err := island.Start(r, island.StartConfig[fiberFunc]{
		Config: island.Config{Name: "outside"},
		Machine: scheduler.MachineFunc[fiberFunc](func(s *scheduler.Scheduler[fiberFunc], f *scheduler.Fiber[fiberFunc]) fiber.Outcome {
			return f.Data(s, 0)
		}),
		Begin: func(h *island.Handle[fiberFunc]) error {
			port, err := island.Open[int](h.Island, "to the island", 1)
			if err == nil {
				_, err = h.Scheduler.Spawn(receives(port, never))
			}
			_, cannot := island.Dial[int](h.Island, "to the pool")
			return errors.Join(err, cannot)
		},
	})
	require.NoError(t, err)
	_, err = island.Dial[int](p.Island(1), "to the island")
	require.NoError(t, err)
	var found *island.DeadlockError
	require.ErrorAs(t, p.Run(t.Context()), &found)
	require.Len(t, found.Islands, 4)
	for _, part := range []string{`"waits in the pool"`, `"blocked"`, `port "to the island"`, "worker 0"} {
		require.Contains(t, found.Error(), part)
	}
	require.ErrorIs(t, outside.Wait(t.Context()), error(found))
	for _, s := range []*scheduler.Core{&p.schedulers[1].Core, &outside.Scheduler.Core} {
		s.Poll()
		require.Equal(t, 1, s.Inspect().Blocked(), s.Inspect().Dump())
	}
	require.Equal(t, fiber.Blocked, p.schedulers[1].Inspect().State(id.ID()))
}

// While fibers may come from outside, a worker that waits is in no deadlock: see
// TestAnIslandWithPeersDependsOnThem of package island.
func TestTheOriginOfFibersIsUnknownWhileThePoolExpectsMore(t *testing.T) {
	p := newIslandPool(t, &island.Registry{SelfContained: true}, Config[fiberFunc]{Workers: 2})
	for i, w := range p.workers {
		peers, known := w.peers()
		require.True(t, known)
		require.Equal(t, []*island.Island{p.Island(1 - i)}, peers)
	}
	release := p.Hold()
	for _, w := range p.workers {
		_, known := w.peers()
		require.False(t, known, "the pool is held")
	}
	release()
	p.mustSpawn(t, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done })
	_, known := p.workers[1].peers()
	require.False(t, known, "a payload waits for a worker")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, p.Run(ctx), context.Canceled)
}

// waitIdle waits until all workers sleep, and have asked whether they are in deadlock.
func waitIdle(ctx context.Context, p *Pool[fiberFunc]) {
	for !p.shared.allIdle() && ctx.Err() == nil {
		runtime.Gosched()
	}
	look(ctx, p)
}

// virtualTime is a Config whose clock lets no time pass in sleep, so that who sleeps probes at once.
func virtualTime(int) scheduler.Config { return scheduler.Config{Clock: scheduler.NewVirtualClock()} }

// Each of two workers waits for the other to send.
func TestReleasingAHoldStartsDeadlockDetectionAgain(t *testing.T) {
	p := newIslandPool(t, &island.Registry{SelfContained: true}, Config[fiberFunc]{Workers: 2, Scheduler: virtualTime})
	for k := range 2 {
		port := opened(t, p.Island(k), p.Island(k).Name())
		_, err := p.schedulers[k].Spawn(receives(port, func(int) { t.Error("something was received") }))
		require.NoError(t, err)
	}
	ctx, release, over := testTimeout(t), p.Hold(), make(chan error, 1)
	go func() { over <- p.Run(ctx) }()
	waitIdle(ctx, p)
	release()
	var found *island.DeadlockError
	require.ErrorAs(t, <-over, &found)
	require.Len(t, found.Islands, 2)
}

// A worker waits for an island, which waits for what the other worker could have sent. That one is
// the last to have nothing to do, and waits for nothing.
func TestAnIdleWorkerProbesIfItIsTheLastToBlock(t *testing.T) {
	r, never := &island.Registry{SelfContained: true}, func(int) { t.Error("something was received") }
	p := newIslandPool(t, r, Config[fiberFunc]{Workers: 2, Scheduler: virtualTime})
	_, err := p.schedulers[0].Spawn(receives(opened(t, p.Island(0), "to the pool"), never))
	require.NoError(t, err)
	busy, err := p.schedulers[1].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue().FromOutside())
	})
	require.NoError(t, err)
	outside, err := island.Start(r, island.StartConfig[fiberFunc]{
		Config: island.Config{Name: "outside"}, Scheduler: virtualTime(0),
		Machine: scheduler.MachineFunc[fiberFunc](func(s *scheduler.Scheduler[fiberFunc], f *scheduler.Fiber[fiberFunc]) fiber.Outcome {
			return f.Data(s, 0)
		}),
		Begin: func(h *island.Handle[fiberFunc]) error {
			_, err := h.Scheduler.Spawn(receives(opened(t, h.Island, "to the island"), never))
			return err
		},
	})
	require.NoError(t, err)
	ctx, over := testTimeout(t), make(chan error, 1)
	go func() { over <- p.Run(ctx) }()
	waitIdle(ctx, p)
	asked := make(chan struct{})
	require.NoError(t, outside.Scheduler.Inbox().Do(func() { defer close(asked); outside.Probe() }))
	<-asked
	require.NoError(t, p.schedulers[1].Inbox().Kill(busy.ID(), nil))
	var found *island.DeadlockError
	require.ErrorAs(t, <-over, &found)
	require.Len(t, found.Islands, 3)
	require.ErrorIs(t, outside.Wait(t.Context()), error(found))
}

// A fiber waits on one worker, is woken, and moves to the other. Another has its slot, and
// waits. The ticket of the first is refused wherever it is sent.
func TestTheOldTicketOfAMovedFiberIsRefused(t *testing.T) {
	r := new(island.Registry)
	p := newIslandPool(t, r, Config[fiberFunc]{Workers: 2})
	waits := func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return again }
	home, remote := p.schedulers[0], p.schedulers[1]
	id, _ := home.SpawnWith(waits, scheduler.Options{Movable: true})
	block := func(s *scheduler.Scheduler[fiberFunc]) fiber.Ticket {
		s.Poll()
		s.ScheduleNext()
		t := s.Arm(fiber.OnQueue().FromOutside())
		s.Block()
		return t
	}
	ticket := block(home)
	home.Deliver(ticket, fiber.Result{Code: fiber.OK})
	home.Poll()
	home.ScheduleNext()
	_, _ = home.Claim()
	home.YieldCurrent()

	m, err := home.Moves().MoveOut(id)
	require.NoError(t, err)
	moved, err := remote.Moves().MoveIn(m)
	require.NoError(t, err)
	_, _ = home.SpawnWith(waits, scheduler.Options{Movable: true})
	other := block(home)
	require.Equal(t, ticket.ID.Index(), other.ID.Index())
	there := block(remote)

	at := [2]island.Address{p.Island(0).Address(), p.Island(1).Address()}
	for name, c := range map[string]struct {
		worker int
		cmd    island.Command
	}{
		"wake at home":                    {0, island.Wake(at[0], ticket, fiber.Result{})},
		"wake where it is":                {1, island.Wake(at[1], ticket, fiber.Result{})},
		"wake at home of the new ticket":  {0, island.Wake(at[0], there, fiber.Result{})},
		"cancel at home by the former ID": {0, island.Cancel(at[0], id.ID(), "stop")},
	} {
		require.ErrorIs(t, execute(p, c.worker, c.cmd), island.ErrStale, name)
	}
	require.Equal(t, fiber.Blocked, home.Inspect().State(other.ID))
	require.Equal(t, fiber.Blocked, remote.Inspect().State(moved.ID()))
	require.NoError(t, execute(p, 1, island.Wake(at[1], there, fiber.Result{})), "its new ticket is valid where it is")
}

// execute sends a command to a worker of a pool that does not run, and serves it.
func execute(p *Pool[fiberFunc], worker int, cmd island.Command) error {
	result := make(chan error, 1)
	go func() {
		_, err := p.Island(worker).Do(context.Background(), cmd)
		result <- err
	}()
	for {
		select {
		case err := <-result:
			return err
		default:
			p.schedulers[worker].Poll()
			runtime.Gosched()
		}
	}
}
