package scheduler

import (
	"context"
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// A run has many ends; these are about two of them coming at once.

// machine ends, at its first slice, the fibers marked 0 and blocks the others for good.
func machine(waits fiber.Reason) Machine[int] {
	return MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data == 0 || s.Unwind().KillPending(s.Current()) {
			return fiber.Outcome{Kind: fiber.Done}
		}
		return fiber.BlockOn(waits)
	})
}

func TestARunThatIsCancelledIsNotHeldUpByAnOpenSender(t *testing.T) {
	g := newTestScheduler(t, Config{})
	sender := g.Inbox().NewSender()
	defer sender.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := g.Run(ctx, machine(fiber.OnQueue())); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
}

// lateContext is one that has ended and reports it only after a few calls.
type lateContext struct {
	context.Context
	looks int
}

func (c *lateContext) Err() error {
	if c.looks--; c.looks >= 0 {
		return nil
	}
	return context.Canceled
}

func TestACancelThatComesJustBeforeTheLoopRestsIsNotMissed(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for looks := range 6 {
		g := newTestScheduler(t, Config{})
		if _, err := g.SpawnWith(1, Options{Frames: true}); err != nil {
			t.Fatal(err)
		}
		err := g.Run(&lateContext{ended, looks}, machine(fiber.OnQueue().FromOutside()))
		if !errors.Is(err, context.Canceled) || g.Inspect().Live() != 0 {
			t.Errorf("cancelled after %d looks: %v, %d alive", looks, err, g.Inspect().Live())
		}
	}
}

func TestTheOthersEndWhenTheMainFiberIsKilledFromOutside(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var ids []fiber.RegularID
	for n := range 2 {
		id, err := g.SpawnWith(1, Options{Main: n == 0})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	_ = g.Run(context.Background(), machine(fiber.OnQueue())) // a deadlock
	if err := g.Inbox().Kill(ids[0].ID(), nil); err != nil {
		t.Fatal(err)
	}
	if err := g.Run(context.Background(), machine(fiber.OnQueue())); err != ErrKilled || g.Inspect().Live() != 0 {
		t.Errorf("Run: %v, %d alive", err, g.Inspect().Live())
	}
}

func TestNothingBeginsOnceTheMainFiberHasReturned(t *testing.T) {
	g := newTestScheduler(t, Config{})
	m := MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data == 1 && !s.Unwind().KillPending(s.Current()) {
			return fiber.BlockOn(fiber.OnQueue())
		}
		if _, err := s.Spawn(0); f.Data == 1 && !errors.Is(err, ErrStopped) {
			t.Errorf("spawned while it unwinds: %v", err)
		}
		return fiber.Outcome{Kind: fiber.Done}
	})
	if _, err := g.SpawnWith(1, Options{Frames: true}); err != nil {
		t.Fatal(err)
	}
	_ = g.Run(context.Background(), m) // a deadlock
	if _, err := g.SpawnWith(2, Options{Main: true}); err != nil {
		t.Fatal(err)
	}
	if err := g.Run(context.Background(), m); err != nil || g.Inspect().Live() != 0 {
		t.Errorf("Run: %v, %d alive", err, g.Inspect().Live())
	}
	if _, err := g.Spawn(0); err != nil {
		t.Errorf("spawn for the next run: %v", err)
	}
}

func TestACommandThatWasQueuedButNotAnnouncedYetIsCarriedOutByClose(t *testing.T) {
	g := newTestScheduler(t, Config{})
	carriedOut := false
	b := g.Inbox()
	b.mu.Lock() // the first half of a post, whose goroutine is then preempted
	b.queue = append(b.queue, command{op: op.Poll, do: func() { carriedOut = true }})
	b.mu.Unlock()
	g.Close()
	if !carriedOut {
		t.Error("it was accepted and lost")
	}
}

func TestNoFiberRunsAfterTheMainFiberHasReturned(t *testing.T) {
	s := New[int](Config{})
	var ran []int
	for n := range 3 {
		if _, err := s.SpawnWith(n, Options{Main: n == 0}); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Run(context.Background(), MachineFunc[int](func(_ *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		ran = append(ran, f.Data)
		return fiber.Outcome{Kind: fiber.Done}
	}))
	if err != nil || len(ran) != 1 || s.Inspect().Live() != 0 {
		t.Fatalf("fibers %v ran, %d are alive, error %v", ran, s.Inspect().Live(), err)
	}
}
