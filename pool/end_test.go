package pool

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/reactor"
	"github.com/selvage-dev/selvage/scheduler"
)

// Everybody ends with the cause, wherever it is: ready, blocked, or spawned from outside and
// not taken.
func TestTheEndOfTheContextKillsAllFibersWithItsCause(t *testing.T) {
	left := 0
	p := newTestPool(t, Config[chore]{Workers: 3, Queue: 1000, Dropped: func(chore) { left++ }})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("the lights go out")
	var killed atomic.Int64
	var started atomic.Int64
	for i := range 3 {
		for j := range 50 {
			_, _ = p.schedulers[i].SpawnWith(func(s *scheduler.Scheduler[chore], _ int) fiber.Outcome {
				if started.Add(1) == 400 {
					cancel(why)
				}
				if j%2 == 0 {
					return fiber.BlockOn(fiber.OnQueue().FromOutside())
				}
				return again
			}, scheduler.Options{Movable: j%3 == 0, Ended: func(_ any, err error) {
				if errors.Is(err, why) && errors.Is(err, scheduler.ErrKilled) {
					killed.Add(1)
				}
			}})
		}
	}
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := conserved(t, p); killed.Load() != 150 || n.Killed != 150 || n.Ended != 150 {
		t.Fatalf("%d were told of the cause, %+v", killed.Load(), n)
	}
	if left != 0 {
		t.Fatalf("%d dropped", left)
	}
}

func TestPayloadsThatNoWorkerTookAreDropped(t *testing.T) {
	var left []string
	p, _ := New(Config[string]{
		Workers: 2, Dropped: func(s string) { left = append(left, s) },
		Machine: func(int) scheduler.Machine[string] { return nil },
	})
	for _, s := range []string{"a", "b", "c"} {
		p.mustSpawn(t, s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) || strings.Join(left, "") != "abc" {
		t.Fatalf("%v, %v", left, err)
	}
}

func TestBlockedFibersAreReportedAtTheEnd(t *testing.T) {
	p := newTestPool(t, Config[chore]{Workers: 3})
	id, _ := p.schedulers[1].SpawnWith(func(*scheduler.Scheduler[chore], int) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue())
	}, scheduler.Options{Name: "the sleeper"})
	var leaves atomic.Int64
	p.mustSpawn(t, tree(8, func() { leaves.Add(1) }))
	err := p.Run(t.Context())
	var dead *scheduler.DeadlockError
	if !errors.As(err, &dead) || !strings.Contains(err.Error(), "the sleeper") || leaves.Load() != 1<<8 {
		t.Fatalf("%d leaves, %v", leaves.Load(), err)
	}
	if p.schedulers[1].State(id.ID()) != fiber.Blocked {
		t.Fatal("it is not as it was")
	}
}

// A fiber at home waits for one that has moved; its end crosses back.
func TestAJoinerLearnsOfTheEndOfAStolenFiber(t *testing.T) {
	p := newTestPool(t, Config[chore]{Workers: 2})
	var ended atomic.Int64
	p.mustSpawn(t, func(s *scheduler.Scheduler[chore], owner int) fiber.Outcome {
		for range 20 {
			_, _ = s.SpawnWith(func(_ *scheduler.Scheduler[chore], worker int) fiber.Outcome {
				if worker == owner && ended.Load() < 3 {
					return again
				}
				return done
			}, scheduler.Options{Movable: true, Ended: func(any, error) { ended.Add(1) }})
		}
		return done
	})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ended.Load() != 20 {
		t.Fatalf("%d ends were heard of", ended.Load())
	}
	conserved(t, p)
}

func TestAFailRunPanicEndsThePool(t *testing.T) {
	p := newTestPool(t, Config[chore]{Workers: 3})
	for i := range 3 {
		_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome { return again })
	}
	_, _ = p.schedulers[2].SpawnWith(func(s *scheduler.Scheduler[chore], _ int) fiber.Outcome {
		s.BeginPanic(panicstate.Recoverable, "out of ink", "")
		s.Panics().NextDefer()
		return fiber.Outcome{Kind: fiber.Panic}
	}, scheduler.Options{OnPanic: panicstate.FailRun})
	var p1 *scheduler.PanicError
	if err := p.Run(t.Context()); !errors.As(err, &p1) || p1.Value != "out of ink" {
		t.Fatal(err)
	}
	if n := conserved(t, p); n.Ended != 4 {
		t.Fatalf("%+v", n)
	}
}

func TestTheReturnOfAMainFiberEndsThePool(t *testing.T) {
	p := newTestPool(t, Config[chore]{Workers: 3})
	for i := range 3 {
		_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome { return again })
	}
	id, _ := p.schedulers[1].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome { return done })
	_ = p.schedulers[1].SetMain(id)
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestRunPanicsIfAMachineDoes(t *testing.T) {
	for name, crash := range map[string]func(){
		"panic":  func() { panic("a bug") },
		"Goexit": runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			p := newTestPool(t, Config[chore]{Workers: 4})
			for i := range 4 {
				_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome { return again })
			}
			p.mustSpawn(t, func(*scheduler.Scheduler[chore], int) fiber.Outcome {
				crash()
				return done
			})
			defer func() {
				err, _ := recover().(error)
				var e *reactor.PanicError
				if !errors.As(err, &e) || name == "panic" && e.Value != "a bug" || !strings.Contains(err.Error(), "pool_test.go") {
					t.Errorf("Run panicked with %v", err)
				}
				stacks := make([]byte, 1<<20)
				if left := string(stacks[:runtime.Stack(stacks, true)]); strings.Contains(left, "pool.(*worker") {
					t.Errorf("workers are left:\n%s", left)
				}
			}()
			_ = p.Run(t.Context())
		})
	}
}
