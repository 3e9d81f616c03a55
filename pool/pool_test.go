package pool

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
)

// fiberFunc is a fiber that does a function, slice by slice, until that says how it ended.
type fiberFunc func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome

var (
	done    = fiber.Outcome{Kind: fiber.Done}
	again   = fiber.Outcome{Kind: fiber.TimesliceExpired}
	movable = scheduler.Options{Front: true, Movable: true}
)

// newTestPool is a pool of fiberFuncs.
func newTestPool(t *testing.T, cfg Config[fiberFunc]) *Pool[fiberFunc] {
	t.Helper()
	cfg.Machine = func(worker int) scheduler.Machine[fiberFunc] {
		return scheduler.MachineFunc[fiberFunc](func(s *scheduler.Scheduler[fiberFunc], f *scheduler.Fiber[fiberFunc]) fiber.Outcome {
			return f.Data(s, worker)
		})
	}
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *Pool[T]) mustSpawn(t *testing.T, data T) {
	t.Helper()
	if err := p.Spawn(data); err != nil {
		t.Fatal(err)
	}
}

// checkConserved adds up what the workers' schedulers counted: nothing is lost, nothing twice (I12).
func checkConserved[T any](t *testing.T, p *Pool[T]) (n scheduler.Counts) {
	t.Helper()
	for i := range p.workers {
		c := p.schedulers[i].Inspect().Counts()
		if live := p.schedulers[i].Inspect().Live(); uint64(live) != c.Spawned+c.MovedIn-c.Ended-c.MovedOut {
			t.Errorf("worker %d: %d live, %+v", i, live, c)
		}
		p.schedulers[i].Inspect().Verify()
		n.Spawned, n.Ended, n.Killed = n.Spawned+c.Spawned, n.Ended+c.Ended, n.Killed+c.Killed
		n.MovedIn, n.MovedOut = n.MovedIn+c.MovedIn, n.MovedOut+c.MovedOut
	}
	if n.MovedIn != n.MovedOut {
		t.Errorf("%d fibers moved out, %d in", n.MovedOut, n.MovedIn)
	}
	return n
}

// tree spawns two of itself until it is a leaf.
func tree(depth int, leaf func()) fiberFunc {
	return func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		if depth == 0 {
			leaf()
			return done
		}
		for range 2 {
			if _, err := s.SpawnWith(tree(depth-1, leaf), movable); err != nil {
				panic(err)
			}
		}
		return done
	}
}

func TestAPoolRunsEveryFiberOnce(t *testing.T) {
	for workers := 1; workers <= 8; workers++ {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			p := newTestPool(t, Config[fiberFunc]{Workers: workers})
			var leaves atomic.Int64
			p.mustSpawn(t, tree(12, func() { leaves.Add(1) }))
			if err := p.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := checkConserved(t, p); leaves.Load() != 1<<12 || n.Spawned != 1<<13-1 || n.Ended != n.Spawned {
				t.Fatalf("%d leaves, %+v", leaves.Load(), n)
			}
		})
	}
}

// The first fiber goes on until another worker has taken the second: it could not end
// without stealing.
func TestAnIdleWorkerStealsFromABusyOne(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	var helped atomic.Bool
	p.mustSpawn(t, func(s *scheduler.Scheduler[fiberFunc], owner int) fiber.Outcome {
		for range 3 {
			_, _ = s.SpawnWith(func(_ *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
				if worker != owner {
					helped.Store(true)
				}
				if helped.Load() {
					return done
				}
				return again
			}, movable)
		}
		return done
	})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkConserved(t, p)
}

// A fiber that is not Movable ends where it was spawned.
func TestFibersThatAreNotMovableStay(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 4})
	for i := range 4 {
		home := p.schedulers[i]
		for range 100 {
			n := 0
			_, _ = home.Spawn(func(s *scheduler.Scheduler[fiberFunc], worker int) fiber.Outcome {
				if s != home || worker != i {
					t.Errorf("a fiber of worker %d runs on %d", i, worker)
				}
				if n++; n == 20 {
					return done
				}
				return again
			})
		}
	}
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := checkConserved(t, p); n.Ended != 400 || n.MovedOut != 0 {
		t.Fatalf("%+v", n)
	}
}

func TestSpawnRefusesWhenTheQueueIsFullOrThePoolHasRun(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 1, Queue: 2})
	nothing := func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done }
	p.mustSpawn(t, nothing)
	p.mustSpawn(t, nothing)
	if err := p.Spawn(nothing); !errors.Is(err, ErrFull) {
		t.Fatalf("a full queue: %v", err)
	}
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.Spawn(nothing); !errors.Is(err, ErrClosed) {
		t.Fatalf("after the run: %v", err)
	}
	if err := p.Run(t.Context()); !errors.Is(err, ErrClosed) {
		t.Fatalf("a second run: %v", err)
	}
}

// A worker with fibers that never end takes in what comes from outside all the same.
func TestQueuedPayloadsDoNotStarve(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 1})
	var stop atomic.Bool
	_, _ = p.schedulers[0].Spawn(func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
		if stop.Load() {
			return done
		}
		if p.shared.queue.n == 0 && p.schedulers[0].Inspect().Counts().Spawned == 1 {
			p.mustSpawn(t, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
				stop.Store(true)
				return done
			})
		}
		return again
	})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestHoldKeepsThePoolRunning(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	release := p.Hold()
	over := make(chan error)
	go func() { over <- p.Run(context.Background()) }()
	ran := make(chan struct{})
	for range 3 {
		p.mustSpawn(t, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
			ran <- struct{}{}
			return done
		})
		<-ran
	}
	release()
	release()
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	if n := checkConserved(t, p); n.Ended != 3 {
		t.Fatalf("%+v", n)
	}
}

func TestTheEnvironmentSetsTheNumberOfWorkers(t *testing.T) {
	t.Setenv(workersVariable, "3")
	if p := newTestPool(t, Config[fiberFunc]{}); len(p.workers) != 3 {
		t.Fatalf("%d workers", len(p.workers))
	}
	if p := newTestPool(t, Config[fiberFunc]{Workers: 2}); len(p.workers) != 2 {
		t.Fatalf("%d workers, although the program says 2", len(p.workers))
	}
	machine := func(int) scheduler.Machine[fiberFunc] { return scheduler.MachineFunc[fiberFunc](nil) }
	for _, bad := range []string{"0", "-1", "many", "5000"} {
		t.Setenv(workersVariable, bad)
		if _, err := New(Config[fiberFunc]{Machine: machine}); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := New(Config[fiberFunc]{Workers: 1}); !errors.Is(err, ErrConfig) {
		t.Errorf("without a Machine: %v", err)
	}
}

// A deadline on one worker is kept while the others have nothing to do.
func TestAPendingDeadlineKeepsThePoolRunning(t *testing.T) {
	p := newTestPool(t, Config[fiberFunc]{Workers: 2})
	rang := false
	_, _ = p.schedulers[0].Spawn(func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		if rang {
			return done
		}
		rang = true
		return fiber.BlockOn(fiber.Until(s.Now().After(time.Millisecond)))
	})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}
