package pool

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/island"
	"github.com/selvage-dev/selvage/scheduler"
)

// maxFibers is a Config of workers that have room for so many fibers each.
func maxFibers(room ...int) func(int) scheduler.Config {
	return func(worker int) scheduler.Config { return scheduler.Config{MaxFibers: room[worker]} }
}

func blocks(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome {
	return fiber.BlockOn(fiber.OnQueue())
}

// A worker that can take nothing more in sleeps, however much waits outside.
func TestAWorkerWithoutRoomSleeps(t *testing.T) {
	looks := 0
	p := newTestPool(t, Config[fiberFunc]{Workers: 1, Scheduler: func(int) scheduler.Config {
		return scheduler.Config{MaxFibers: 1, Clock: &counted{looks: &looks}}
	}})
	slept := false
	p.mustSpawn(t, func(s *scheduler.Scheduler[fiberFunc], _ int) fiber.Outcome {
		if slept {
			return done
		}
		slept = true
		return fiber.BlockOn(fiber.Until(s.Now().After(time.Hour)))
	})
	p.mustSpawn(t, func(*scheduler.Scheduler[fiberFunc], int) fiber.Outcome { return done })
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := checkConserved(t, p); n.Ended != 2 {
		t.Fatalf("%+v", n)
	}
	if looks > 20 {
		t.Fatalf("the clock was looked at %d times", looks)
	}
}

// counted is a clock on which an hour is over as soon as a worker sleeps, or when it
// was read 1000 times, which shows that the worker does not sleep.
type counted struct {
	looks *int
	now   fiber.Time
}

func (c *counted) Now() fiber.Time {
	if *c.looks++; *c.looks == 1000 {
		c.now = c.now.After(time.Hour)
	}
	return c.now
}

func (c *counted) Wait(_ context.Context, until fiber.Time, _ <-chan struct{}) {
	c.now = max(c.now, until)
}

// No worker can ever take the queued payload: it is dropped, and the deadlock reported.
func TestAPoolFullOfBlockedFibersEnds(t *testing.T) {
	left := 0
	p := newTestPool(t, Config[fiberFunc]{Workers: 2, Scheduler: maxFibers(1, 1), Dropped: func(fiberFunc) { left++ }})
	for range 3 {
		p.mustSpawn(t, blocks)
	}
	var dead *scheduler.DeadlockError
	if err := p.Run(t.Context()); !errors.As(err, &dead) || left != 1 {
		t.Fatalf("%d left, %v", left, err)
	}
}

// Two workers wait at ports for each other. What waits outside could not help them, for
// there is no room; it is handed back.
func TestQueuedPayloadsDoNotHideADeadlockOfFullWorkers(t *testing.T) {
	left := 0
	p := newIslandPool(t, &island.Registry{SelfContained: true}, Config[fiberFunc]{Workers: 2, Scheduler: maxFibers(1, 1), Dropped: func(fiberFunc) { left++ }})
	for i, name := range []string{"a", "b"} {
		if _, err := p.schedulers[i].Spawn(receives(opened(t, p.Island(i), name), func(int) {})); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range []string{"b", "a"} {
		if _, err := island.Dial[int](p.Island(i), name); err != nil {
			t.Fatal(err)
		}
	}
	p.mustSpawn(t, blocks)
	var found *island.DeadlockError
	if err := p.Run(t.Context()); !errors.As(err, &found) || left != 1 {
		t.Fatalf("%d left, %v", left, err)
	}
}
