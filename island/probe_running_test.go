package island

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/wait"
	"github.com/stretchr/testify/require"
)

// fiberFunc is a fiber that runs a function, slice by slice, until that says how it ended.
type fiberFunc func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome

var (
	done  = fiber.Outcome{Kind: fiber.Done}
	again = fiber.Outcome{Kind: fiber.TimesliceExpired}
)

// testTimeout is a context that ends long after every promise here should have been kept.
func testTimeout(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// virtualTime is a Config whose clock lets no time pass in sleep, so that a sleeping island probes at once.
func virtualTime(int) scheduler.Config { return scheduler.Config{Clock: scheduler.NewVirtualClock()} }

// receives is a fiberFunc that waits for a value at the port and then does then.
func receives(p *Port[int], then func(v int)) fiberFunc {
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

// running is an island on its own goroutine, whose only fiber receives one value and sends one to
// each of those that it has a Sender to.
type running struct {
	*Handle[fiberFunc]
	port    *Port[int]
	hold    *scheduler.Sender
	senders []*Sender[int]
}

func newRunning(t *testing.T, r *Registry, k int) *running {
	b := new(running)
	h, err := Start(r, StartConfig[fiberFunc]{
		Config: Config{Name: fmt.Sprint(k), Mailbox: 1, KeepAlive: k == 3}, Scheduler: virtualTime(0),
		Machine: scheduler.MachineFunc[fiberFunc](func(s *scheduler.Scheduler[fiberFunc], f *scheduler.Fiber[fiberFunc]) fiber.Outcome {
			return f.Data(s, 0)
		}),
		Begin: func(h *Handle[fiberFunc]) (err error) {
			b.hold = h.Scheduler.Inbox().NewSender()
			b.port, err = Open[int](h.Island, h.Name(), 8)
			return err
		},
	})
	require.NoError(t, err)
	b.Handle = h
	return b
}

// own has the owner do something, and waits until it has.
func (b *running) own(ctx context.Context, do func()) {
	done := make(chan struct{})
	if b.Scheduler.Inbox().Do(func() { defer close(done); do() }) != nil {
		return // it has ended
	}
	select {
	case <-done:
	case <-b.done:
	case <-ctx.Done():
	}
}

func (b *running) passOn() {
	for _, s := range b.senders {
		_, _ = s.TrySend(1) // an error: that island has ended
	}
}

// yields is a fiberFunc that lets others run some times first.
func yields(times int, then fiberFunc) fiberFunc {
	return func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
		if times--; times >= 0 {
			return again
		}
		return then(s, worker)
	}
}

// waitsOutside is a fiber that waits for a delivery from outside, and then calls then.
func waitsOutside(ticket chan<- fiber.Ticket, then func()) fiberFunc {
	waited := false
	return func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		if waited {
			s.Claim()
			then()
			return done
		}
		waited = true
		ticket <- s.Arm(fiber.OnQueue().FromOutside())
		return fiber.BlockOn(fiber.OnQueue().FromOutside())
	}
}

// newRing is some islands, each of which depends on each other, directly or not: they are a ring,
// and some more can send to some.
func newRing(t *testing.T, ctx context.Context, rng *rand.Rand) (all []*running) {
	r, n := &Registry{SelfContained: true}, 2+rng.IntN(5)
	for k := range n {
		all = append(all, newRunning(t, r, k))
	}
	dial := func(from, to *running) {
		from.own(ctx, func() {
			s, err := Dial[int](from.Island, to.port.Name())
			require.NoError(t, err)
			from.senders = append(from.senders, s)
		})
	}
	for k, b := range all {
		dial(all[(k+1)%n], b)
	}
	for range rng.IntN(n) {
		if from, to := rng.IntN(n), rng.IntN(n); from != to {
			dial(all[from], all[to])
		}
	}
	for _, b := range all {
		if rng.IntN(4) > 0 {
			b.own(ctx, b.port.Seal)
		}
	}
	return all
}

// startFibers has every island but one go on until it waits at its port, some sooner, some later.
func startFibers(t *testing.T, ctx context.Context, rng *rand.Rand, all []*running, but *running) {
	for _, k := range rng.Perm(len(all)) {
		if b := all[k]; b != but {
			code := yields(rng.IntN(200), receives(b.port, func(int) { b.passOn() }))
			b.own(ctx, func() {
				_, err := b.Scheduler.Spawn(code)
				require.NoError(t, err)
			})
			b.hold.Close()
		}
	}
}

const ringTrials = 30

func TestRunningIslandsFindTheirDeadlockInAnyOrder(t *testing.T) {
	for seed := range uint64(ringTrials) {
		ctx, rng := testTimeout(t), rand.New(rand.NewPCG(seed, 7))
		all := newRing(t, ctx, rng)
		startFibers(t, ctx, rng, all, nil)
		var found *DeadlockError
		for _, b := range all {
			require.ErrorAs(t, b.Wait(ctx), &found, "seed %d: %s", seed, b.Name())
			require.Same(t, all[0].Deadlock(), found)
			require.Len(t, found.Islands, len(all))
			require.NotEmpty(t, found.Cycle)
		}
	}
}

// One of them waits for a delivery from outside, while the others probe.
func TestNoDeadlockWhileAnIslandWaitsForTheOutside(t *testing.T) {
	for seed := range uint64(ringTrials) {
		ctx, rng := testTimeout(t), rand.New(rand.NewPCG(seed, 8))
		all := newRing(t, ctx, rng)
		free, ticket := all[rng.IntN(len(all))], make(chan fiber.Ticket, 1)
		free.own(ctx, func() {
			_, err := free.Scheduler.Spawn(waitsOutside(ticket, free.passOn))
			require.NoError(t, err)
		})
		free.hold.Close()
		startFibers(t, ctx, rng, all, free)
		for range rng.IntN(20) {
			b := all[rng.IntN(len(all))]
			b.own(ctx, b.Probe)
		}
		require.NoError(t, free.Scheduler.Inbox().Deliver(<-ticket, fiber.Result{Code: fiber.OK}))
		for _, b := range all {
			if b.Name() == "3" {
				continue // it stays
			}
			require.NoError(t, b.Wait(ctx), "seed %d: %s", seed, b.Name())
		}
		for _, b := range all {
			if b.Name() == "3" {
				b.Shutdown(nil)
				_ = b.Wait(ctx)
			}
			require.Nil(t, b.Deadlock())
		}
	}
}
