package pool

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/scheduler"
)

// All fibers end with the cause, wherever they are: ready, blocked, or queued and
// not taken.
func TestTheEndOfTheContextKillsAllFibersWithItsCause(t *testing.T) {
	left := 0
	p := newTestPool(t, Config[fiberFunc]{Workers: 3, Queue: 1000, Dropped: func(fiberFunc) { left++ }})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("the lights go out")
	var killed atomic.Int64
	var started atomic.Int64
	for i := range 3 {
		for j := range 50 {
			_, _ = p.schedulers[i].SpawnWith(func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
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
	if n := checkConserved(t, p); killed.Load() != 150 || n.Killed != 150 || n.Ended != 150 {
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
		Machine: func(int) scheduler.Machine[string] { return scheduler.MachineFunc[string](nil) },
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
	p := newTestPool(t, Config[fiberFunc]{Workers: 3})
	id, _ := p.schedulers[1].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue())
	}, scheduler.Options{Name: "the sleeper"})
	var leaves atomic.Int64
	p.mustSpawn(t, tree(8, func() { leaves.Add(1) }))
	err := p.Run(t.Context())
	var dead *scheduler.DeadlockError
	if !errors.As(err, &dead) || !strings.Contains(err.Error(), "the sleeper") || leaves.Load() != 1<<8 {
		t.Fatalf("%d leaves, %v", leaves.Load(), err)
	}
	if p.schedulers[1].Inspect().State(id.ID()) != fiber.Blocked {
		t.Fatal("it is not as it was")
	}
}

// A fiber at home waits for one that has moved; its end crosses back.
func TestAJoinerLearnsOfTheEndOfAStolenFiber(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	var ended atomic.Int64
	p.mustSpawn(t, func(s *scheduler.Scheduler[fiberFunc], owner int) fiber.Outcome {
		for range 20 {
			_, _ = s.SpawnWith(func(_ *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
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
		t.Fatalf("%d ends were reported", ended.Load())
	}
	checkConserved(t, p)
}

func TestAFailRunPanicEndsThePool(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 3})
	for i := range 3 {
		_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return again })
	}
	_, _ = p.schedulers[2].SpawnWith(func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		s.Unwind().BeginPanic(panicstate.Recoverable, "out of ink", "")
		s.Unwind().Panics().NextDefer()
		return fiber.Outcome{Kind: fiber.Panic}
	}, scheduler.Options{OnPanic: panicstate.FailRun})
	var p1 *scheduler.PanicError
	if err := p.Run(t.Context()); !errors.As(err, &p1) || p1.Value != "out of ink" {
		t.Fatal(err)
	}
	if n := checkConserved(t, p); n.Ended != 4 {
		t.Fatalf("%+v", n)
	}
}

func TestTheReturnOfAMainFiberEndsThePool(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 3})
	for i := range 3 {
		_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return again })
	}
	_, _ = p.schedulers[1].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done }, scheduler.Options{Main: true})
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
			p := newTestPool(t, Config[fiberFunc]{Workers: 4})
			for i := range 4 {
				_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return again })
			}
			p.mustSpawn(t, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
				crash()
				return done
			})
			defer func() {
				err, _ := recover().(error)
				var e *scheduler.PanicError
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

// A fiber waits for the end of one that is blocked on another worker.
func TestAJoinerOfABlockedMovedFiberIsInDeadlock(t *testing.T) {
	for name, r := range map[string]*island.Registry{"a pool": nil, "a pool of islands": {SelfContained: true}} {
		t.Run(name, func(t *testing.T) {
			p := newTestPool(t, Config[fiberFunc]{Workers: 2, Registry: r})
			home, remote := p.schedulers[0], p.schedulers[1]
			cell := new(ioqueue.Cell)
			gone, _ := home.SpawnWith(blocks, scheduler.Options{Movable: true, Cell: cell})
			_, _ = home.SpawnWith(joins(cell), scheduler.Options{Name: "the joiner"})
			moved(t, home, remote, gone)
			var dead *scheduler.DeadlockError
			if err := p.Run(t.Context()); !errors.As(err, &dead) || !strings.Contains(err.Error(), "the joiner") {
				t.Fatal(err)
			}
		})
	}
}

func moved(t *testing.T, home, remote *scheduler.Scheduler[fiberFunc], id fiber.RegularID) {
	t.Helper()
	m, err := home.Moves().MoveOut(id)
	if err == nil {
		_, err = remote.Moves().MoveIn(m)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// joins waits for the end of the fiber whose cell it is.
func joins(cell *ioqueue.Cell) fiberFunc {
	return func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		s.Claim()
		if cell.Completed() {
			return done
		}
		if err := cell.Park(s.ArmOn(cell.Source()), 0); err != nil {
			panic(err)
		}
		return fiber.BlockOn(fiber.OnQueue())
	}
}

func TestNothingRunsIfTheContextHasEnded(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	for i := range 2 {
		_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
			t.Error("it ran")
			return done
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := checkConserved(t, p); n.Killed != 2 {
		t.Fatalf("%+v", n)
	}
}

func TestNoFiberRunsAfterTheMainFiber(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 1})
	_, _ = p.schedulers[0].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done }, scheduler.Options{Main: true})
	_, _ = p.schedulers[0].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		t.Error("it ran")
		return done
	})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// What has ended the run is for all workers at once: on the one where the main fiber was,
// another unwinds for as long as something on the other worker lives.
func TestTheEndOfTheRunReachesAllWorkersAtOnce(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	var gone atomic.Bool
	_, _ = p.schedulers[0].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done }, scheduler.Options{Main: true})
	_, _ = p.schedulers[0].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		if gone.Load() {
			return done
		}
		return again
	}, scheduler.Options{Frames: true})
	_, _ = p.schedulers[1].SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue().FromOutside())
	}, scheduler.Options{Ended: func(any, error) { gone.Store(true) }})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func fails(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
	s.SetResult(nil, errors.New("nothing reads this"))
	return done
}

// The context ends when the pool has just found that nothing can go on. That is how it has
// ended then, for all workers: its fibers were not killed.
func TestAContextThatEndsAfterThePoolChangesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := newTestPool(t, Config[fiberFunc]{Workers: 1, Scheduler: func(int) scheduler.Config {
		return scheduler.Config{Unobserved: func(*scheduler.UnobservedError) { cancel() }}
	}})
	s := p.schedulers[0]
	_, _ = s.Spawn(blocks)
	_, _ = s.SpawnWith(fails, scheduler.Options{Cell: new(ioqueue.Cell)})
	err := p.Run(ctx)
	var dead *scheduler.DeadlockError
	if ctx.Err() == nil || !errors.As(err, &dead) || s.Inspect().Blocked() != 1 {
		t.Fatalf("%v; %d are blocked", err, s.Inspect().Blocked())
	}
}

// The main fiber has returned and its worker has ended, when a fiber of it fails elsewhere.
func TestAnUnobservedFailureAtTheEndIsReported(t *testing.T) {
	var told []string
	var begun atomic.Bool
	ended := make(chan struct{})
	p := newTestPool(t, Config[fiberFunc]{Workers: 2, Scheduler: func(int) scheduler.Config {
		return scheduler.Config{Unobserved: func(e *scheduler.UnobservedError) {
			if told = append(told, e.Name); e.Name == "first" {
				close(ended)
			}
		}}
	}})
	home := p.schedulers[0]
	last, _ := home.SpawnWith(func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
		begun.Store(true)
		<-ended
		return fails(s, worker)
	}, scheduler.Options{Name: "last", Movable: true, Cell: new(ioqueue.Cell)})
	moved(t, home, p.schedulers[1], last)
	_, _ = home.SpawnWith(fails, scheduler.Options{Name: "first", Cell: new(ioqueue.Cell)})
	_, _ = home.SpawnWith(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		if begun.Load() {
			return done
		}
		return again
	}, scheduler.Options{Main: true})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "last"}; !slices.Equal(told, want) {
		t.Fatalf("told of %v, not of %v", told, want)
	}
}
