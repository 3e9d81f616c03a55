package pool

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
)

// A fiber waits at home for one that is blocked for ever elsewhere.
func TestAJoinerOfABlockedMovedFiberIsInDeadlock(t *testing.T) {
	for name, r := range map[string]*island.Registry{"a pool": nil, "a pool of islands": {SelfContained: true}} {
		t.Run(name, func(t *testing.T) {
			p := newTestPool(t, Config[chore]{Workers: 2, Registry: r})
			home, abroad := p.schedulers[0], p.schedulers[1]
			cell := new(ioqueue.Cell)
			gone, _ := home.SpawnWith(forEver, scheduler.Options{Movable: true, Cell: cell})
			_, _ = home.SpawnWith(joins(cell), scheduler.Options{Name: "the joiner"})
			moved(t, home, abroad, gone)
			var dead *scheduler.DeadlockError
			if err := p.Run(t.Context()); !errors.As(err, &dead) || !strings.Contains(err.Error(), "the joiner") {
				t.Fatal(err)
			}
		})
	}
}

func moved(t *testing.T, home, abroad *scheduler.Scheduler[chore], id fiber.RegularID) {
	t.Helper()
	m, err := home.MoveOut(id)
	if err == nil {
		_, err = abroad.MoveIn(m)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// joins waits for the end of the fiber whose cell it is.
func joins(cell *ioqueue.Cell) chore {
	return func(s *scheduler.Scheduler[chore], _ int) fiber.Outcome {
		if cell.Completed() {
			return done
		}
		if err := cell.Park(s.ArmOn(cell), 0); err != nil {
			panic(err)
		}
		return fiber.BlockOn(fiber.OnQueue())
	}
}

func TestNothingRunsIfTheContextHasEnded(t *testing.T) {
	p := newTestPool(t, Config[chore]{Workers: 2})
	for i := range 2 {
		_, _ = p.schedulers[i].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome {
			t.Error("it ran")
			return done
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := conserved(t, p); n.Killed != 2 {
		t.Fatalf("%+v", n)
	}
}

func TestNoFiberRunsAfterTheMainFiber(t *testing.T) {
	p := newTestPool(t, Config[chore]{Workers: 1})
	id, _ := p.schedulers[0].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome { return done })
	_ = p.schedulers[0].SetMain(id)
	_, _ = p.schedulers[0].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome {
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
	p := newTestPool(t, Config[chore]{Workers: 2})
	var gone atomic.Bool
	main, _ := p.schedulers[0].Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome { return done })
	_ = p.schedulers[0].SetMain(main)
	_, _ = p.schedulers[0].SpawnWith(func(*scheduler.Scheduler[chore], int) fiber.Outcome {
		if gone.Load() {
			return done
		}
		return again
	}, scheduler.Options{Frames: true})
	_, _ = p.schedulers[1].SpawnWith(func(*scheduler.Scheduler[chore], int) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue().FromOutside())
	}, scheduler.Options{Ended: func(any, error) { gone.Store(true) }})
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func fails(s *scheduler.Scheduler[chore], _ int) fiber.Outcome {
	s.SetResult(nil, errors.New("nobody reads this"))
	return done
}

// The context ends when the pool has just found that nothing can go on. That is how it has
// ended then, for all workers: its fibers were not killed.
func TestAContextThatEndsAfterThePoolChangesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := newTestPool(t, Config[chore]{Workers: 1, Scheduler: func(int) scheduler.Config {
		return scheduler.Config{Unobserved: func(*scheduler.UnobservedError) { cancel() }}
	}})
	s := p.schedulers[0]
	_, _ = s.Spawn(forEver)
	_, _ = s.SpawnWith(fails, scheduler.Options{Cell: new(ioqueue.Cell)})
	err := p.Run(ctx)
	var dead *scheduler.DeadlockError
	if ctx.Err() == nil || !errors.As(err, &dead) || s.Blocked() != 1 {
		t.Fatalf("%v; %d are blocked", err, s.Blocked())
	}
}

// The main fiber has returned and its worker has ended, when a fiber of it fails elsewhere.
func TestAnUnobservedFailureAtTheEndIsReported(t *testing.T) {
	var told []string
	var begun atomic.Bool
	ended := make(chan struct{})
	p := newTestPool(t, Config[chore]{Workers: 2, Scheduler: func(int) scheduler.Config {
		return scheduler.Config{Unobserved: func(e *scheduler.UnobservedError) {
			if told = append(told, e.Name); e.Name == "first" {
				close(ended)
			}
		}}
	}})
	home := p.schedulers[0]
	last, _ := home.SpawnWith(func(s *scheduler.Scheduler[chore], worker int) fiber.Outcome {
		begun.Store(true)
		<-ended
		return fails(s, worker)
	}, scheduler.Options{Name: "last", Movable: true, Cell: new(ioqueue.Cell)})
	moved(t, home, p.schedulers[1], last)
	_, _ = home.SpawnWith(fails, scheduler.Options{Name: "first", Cell: new(ioqueue.Cell)})
	main, _ := home.Spawn(func(*scheduler.Scheduler[chore], int) fiber.Outcome {
		if begun.Load() {
			return done
		}
		return again
	})
	_ = home.SetMain(main)
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "last"}; !slices.Equal(told, want) {
		t.Fatalf("told of %v, not of %v", told, want)
	}
}
