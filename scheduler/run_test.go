package scheduler

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

var (
	expired = fiber.Outcome{Kind: fiber.TimesliceExpired}
	done    = fiber.Outcome{Kind: fiber.Done}
)

// countdown is a machine whose payload is how many slices the fiber still needs.
var countdown = MachineFunc[int](func(_ *Scheduler[int], f *Fiber[int]) fiber.Outcome {
	if f.Data--; f.Data > 0 {
		return expired
	}
	return done
})

func TestRunGoesOnUntilEveryFiberHasEnded(t *testing.T) {
	s := New[int](Config{})
	for n := range 100 {
		s.Spawn(n % 7)
	}
	if err := s.Run(context.Background(), countdown); err != nil || s.Inspect().Live() != 0 {
		t.Fatalf("%v, %d alive", err, s.Inspect().Live())
	}
	if err := s.Run(context.Background(), countdown); err != nil { // nothing to do
		t.Fatal(err)
	}
}

func TestRunReportsADeadlockAndLeavesItToBeLookedAt(t *testing.T) {
	s := New[int](Config{})
	stuck, _ := s.SpawnWith(0, Options{Name: "stuck"})
	err := s.Run(context.Background(), MachineFunc[int](func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
		return fiber.BlockOn(fiber.OnQueue())
	}))
	var deadlock *DeadlockError
	if !errors.As(err, &deadlock) || deadlock.Report.Fibers[0].ID != stuck.ID() || !strings.Contains(err.Error(), `"stuck"`) {
		t.Fatalf("%v", err)
	}
	if s.Inspect().State(stuck.ID()) != fiber.Blocked {
		t.Fatalf("the fiber is %v", s.Inspect().State(stuck.ID()))
	}
}

func TestSleepsTakeNoTimeOnAVirtualClock(t *testing.T) {
	s := New[int](Config{})
	var order []int
	for n := range 50 {
		s.Spawn(50 - n)
	}
	start := time.Now()
	err := s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if _, r := s.Claim(); r.Code != fiber.OK {
			return fiber.BlockOn(fiber.Until(fiber.Time(f.Data) * fiber.Time(time.Hour)))
		}
		order = append(order, f.Data)
		return done
	}))
	if err != nil || len(order) != 50 || !slices.IsSorted(order) {
		t.Fatalf("%v, woken in the order %v", err, order)
	}
	if now := s.Now(); now != fiber.Time(50*time.Hour) {
		t.Fatalf("the virtual clock stands at %v", now)
	}
	if took := time.Since(start); took > time.Minute {
		t.Fatalf("fifty hours of sleep took %v", took)
	}
}

func TestCancellingTheContextUnwindsEveryFiber(t *testing.T) {
	s := New[int](Config{})
	ctx, cancel := context.WithCancelCause(context.Background())
	var ends []error
	for n := range 40 {
		s.SpawnWith(n, Options{Frames: n%2 == 0, Ended: func(_ any, err error) { ends = append(ends, err) }})
	}
	slices := 0
	err := s.Run(ctx, MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if code, _ := s.TakeInterrupt(); code == fiber.Killed {
			return done
		}
		if slices++; slices == 60 {
			cancel(errWhy)
		}
		if f.Data%3 == 0 {
			return fiber.BlockOn(fiber.OnQueue())
		}
		return expired
	}))
	if !errors.Is(err, context.Canceled) || s.Inspect().Live() != 0 || len(ends) != 40 {
		t.Fatalf("%v; %d alive, %d ended", err, s.Inspect().Live(), len(ends))
	}
	for _, e := range ends {
		if !errors.Is(e, ErrKilled) || !errors.Is(e, errWhy) {
			t.Fatalf("a fiber ended with %v", e)
		}
	}
}

func TestAContextThatEndsWhileTheLoopIsParkedEndsTheRun(t *testing.T) {
	s := New[int](Config{})
	ctx, cancel := context.WithCancel(context.Background())
	s.Spawn(0)
	err := s.Run(ctx, MachineFunc[int](func(*Scheduler[int], *Fiber[int]) fiber.Outcome {
		go cancel()
		return fiber.BlockOn(fiber.OnQueue().FromOutside())
	}))
	if !errors.Is(err, context.Canceled) || s.Inspect().Live() != 0 {
		t.Fatalf("%v, %d alive", err, s.Inspect().Live())
	}
}

func TestTheEndOfTheMainFiberEndsTheOthersInSlotOrder(t *testing.T) {
	s := New[int](Config{})
	var died []int
	for n := range 10 {
		s.SpawnWith(n, Options{Main: n == 4, Ended: func(_ any, err error) {
			if n != 4 && !errors.Is(err, ErrMainReturned) {
				t.Errorf("fiber %d ended with %v", n, err)
			}
			died = append(died, n)
		}})
	}
	err := s.Run(context.Background(), MachineFunc[int](func(_ *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data == 4 {
			return done
		}
		return fiber.BlockOn(fiber.Until(1 << 60))
	}))
	if err != nil || !slices.Equal(died, []int{4, 0, 1, 2, 3, 5, 6, 7, 8, 9}) {
		t.Fatalf("%v, died in the order %v", err, died)
	}
	if s.Now() != 0 {
		t.Fatalf("the run waited until %v", s.Now())
	}
}

func TestFibersStartedFromManyGoroutinesAllReport(t *testing.T) {
	s := New[int](Config{})
	sender := s.Inbox().NewSender()
	var callers sync.WaitGroup
	for n := range 8 {
		callers.Go(func() {
			for i := range 50 {
				if i%2 == 0 {
					result, err := execute(context.Background(), s, n*100+i, Options{})
					if err != nil || result != n*100+i {
						t.Errorf("Execute: %v, %v", result, err)
					}
					continue
				}
				h, err := s.Start(n*100+i, Options{Name: "started"})
				if err != nil {
					t.Error(err)
					continue
				}
				<-h.Done()
				if result, err := h.Result(context.Background()); err != nil || result != n*100+i {
					t.Errorf("Start: %v, %v", result, err)
				}
			}
		})
	}
	go func() { callers.Wait(); sender.Close() }()
	err := s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		s.SetResult(f.Data, nil)
		return done
	}))
	if err != nil || s.Inspect().Counts().Spawned != 400 {
		t.Fatalf("%v, %+v", err, s.Inspect().Counts())
	}
}

func TestExecuteGivesUpWithItsContextAndCancelsTheFiber(t *testing.T) {
	s := New[int](Config{})
	sender := s.Inbox().NewSender()
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := execute(ctx, s, 0, Options{Ended: func(_ any, err error) { ended <- err }})
		if err != errWhy {
			t.Errorf("Execute: %v", err)
		}
	}()
	go func() { <-ended; sender.Close() }()
	err := s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if _, r := s.Claim(); r.Code == fiber.Cancelled {
			s.SetResult(nil, s.Unwind().Cause(s.Current()))
			return done
		}
		cancel(errWhy)
		return fiber.BlockOn(fiber.OnQueue())
	}))
	if err != nil {
		t.Fatal(err)
	}
}

func TestAHandleCancelsItsFiberOnly(t *testing.T) {
	g := newTestScheduler(t, Config{MaxFibers: 1})
	h, err := g.Start(7, Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused, _ := g.Start(8, Options{}) // the limit is seen when the owner spawns
	g.Poll()
	if _, err := refused.Result(context.Background()); !errors.Is(err, ErrTooManyFibers) {
		t.Fatalf("the second: %v", err)
	}
	refused.Cancel(errWhy)
	g.Poll()
	id := g.next()
	if g.Unwind().Cause(id.ID()) != nil {
		t.Fatal("a fiber that never began cancelled another")
	}
	h.Cancel(errWhy)
	g.blockIn(fiber.OnQueue())
	g.Poll()
	g.wakesWith(id, fiber.Cancelled)
	g.Exit("bye", nil)
	if result, err := h.Result(context.Background()); result != "bye" || err != nil {
		t.Fatalf("%v, %v", result, err)
	}
	h.Cancel(nil) // after its end it does nothing
	g.Poll()
}

func TestACompletionFromAnotherGoroutineWakesAParkedLoop(t *testing.T) {
	s := New[int](Config{})
	s.Spawn(0)
	var tok fiber.Token
	err := s.Run(context.Background(), MachineFunc[int](func(s *Scheduler[int], f *Fiber[int]) fiber.Outcome {
		if f.Data++; f.Data > 1 {
			if c, got := s.Ops().Completion(tok); !got || c.Value != "read" {
				t.Errorf("%+v, %v", c, got)
			}
			return done
		}
		tok, _ = s.Ops().Submit()
		inbox := s.Inbox()
		go func() { _ = inbox.Complete(tok, ioqueue.Completion{Value: "read"}) }()
		return fiber.BlockOn(fiber.OnIO(tok))
	}))
	if err != nil {
		t.Fatal(err)
	}
}
