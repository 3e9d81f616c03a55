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

// small are workers that have room for so many fibers each.
func small(room ...int) func(int) scheduler.Config {
	return func(worker int) scheduler.Config { return scheduler.Config{MaxFibers: room[worker]} }
}

func forEver(*scheduler.Scheduler[chore], int) fiber.Outcome { return fiber.BlockOn(fiber.OnQueue()) }

// The victim is put aside while it packs. The thief gets something elsewhere meanwhile, and
// when it wants some again it has less room: what was packed for the old wish goes back.
func TestABatchForAnOldRequestFitsTheNewOne(t *testing.T) {
	var thief *worker[int]
	meanwhile := func() {
		thief.closeRequest()
		_, _ = thief.s.Spawn(8)
		_, _ = thief.s.Spawn(9)
		thief.openRequest()
	}
	once := func(tr scheduler.Transition) {
		if tr.Op == scheduler.OpMove && meanwhile != nil {
			do := meanwhile
			meanwhile = nil
			do()
		}
	}
	p, err := New(Config[int]{
		Workers: 2, Machine: func(int) scheduler.Machine[int] { return nil },
		Scheduler: func(worker int) scheduler.Config {
			if worker == 0 {
				return scheduler.Config{Observer: once}
			}
			return scheduler.Config{MaxFibers: 3}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	victim := p.workers[0]
	thief = p.workers[1]
	victim.has(t, 1, 2, 3, 4, 5, 6)
	thief.openRequest()
	victim.answer(thief)
	thief.closeRequest()
	want(t, "the thief", order(thief), 8, 9)
	want(t, "the victim", order(victim), 6, 5, 4, 3, 2, 1)
}

// A worker that can take nothing more in maySleep, however much waits outside.
func TestAWorkerWithoutRoomSleeps(t *testing.T) {
	looks := 0
	p := newTestPool(t, Config[chore]{Workers: 1, Scheduler: func(int) scheduler.Config {
		return scheduler.Config{MaxFibers: 1, Clock: &counted{looks: &looks}}
	}})
	slept := false
	p.mustSpawn(t, func(s *scheduler.Scheduler[chore], _ int) fiber.Outcome {
		if slept {
			return done
		}
		slept = true
		return fiber.BlockOn(fiber.Until(s.Now().After(time.Hour)))
	})
	p.mustSpawn(t, func(*scheduler.Scheduler[chore], int) fiber.Outcome { return done })
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := conserved(t, p); n.Ended != 2 {
		t.Fatalf("%+v", n)
	}
	if looks > 20 {
		t.Fatalf("the clock was looked at %d times", looks)
	}
}

// counted is a clock on which an hour is over as soon as somebody maySleep, or as soon as it was
// looked at as often as nobody does who maySleep.
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

// Nobody can ever take what waits outside: it is handed back, and the deadlock reported.
func TestAPoolFullOfBlockedFibersEnds(t *testing.T) {
	left := 0
	p := newTestPool(t, Config[chore]{Workers: 2, Scheduler: small(1, 1), Dropped: func(chore) { left++ }})
	for range 3 {
		p.mustSpawn(t, forEver)
	}
	var dead *scheduler.DeadlockError
	if err := p.Run(t.Context()); !errors.As(err, &dead) || left != 1 {
		t.Fatalf("%d left, %v", left, err)
	}
}

// The last that came to rest has no room; what comes is for one that has.
func TestNewWorkWakesAWorkerWithRoom(t *testing.T) {
	for name, comes := range map[string]func(p *Pool[int], victim *worker[int]){
		"from outside":  func(p *Pool[int], _ *worker[int]) { _ = p.Spawn(7) },
		"from a worker": func(_ *Pool[int], victim *worker[int]) { victim.shareFibers() },
	} {
		t.Run(name, func(t *testing.T) {
			p, err := New(Config[int]{Workers: 3, Machine: func(int) scheduler.Machine[int] { return nil }, Scheduler: small(9, 9, 1)})
			if err != nil {
				t.Fatal(err)
			}
			victim, free, full := p.workers[0], p.workers[1], p.workers[2]
			victim.has(t, 1, 2, 3, 4)
			_, _ = full.s.Spawn(5)
			for _, w := range []*worker[int]{free, full} {
				w.openRequest()
				if got := p.shared.enterIdle(w, w.newIdleState(w.s.Idle())); got != maySleep {
					t.Fatal(got)
				}
			}
			comes(p, victim)
			if full.s.Inbox().Waiting() || !free.s.Inbox().Waiting() {
				t.Fatal("who has room was not woken, or who has none was")
			}
		})
	}
}

// A worker with plenty has picked one that rests when something comes from outside, and
// then has nothing for it after all.
func TestAPayloadWakesAWorkerThatWasTakenInVain(t *testing.T) {
	p, _, thief := pairOf(t)
	thief.openRequest()
	p.shared.enterIdle(thief, idleState{finished: true})
	picked, epoch := p.shared.takeIdle()
	p.mustSpawn(t, 1)
	p.shared.returnIdle(picked, epoch)
	if !thief.s.Inbox().Waiting() {
		t.Fatal("it maySleep on")
	}
	p.shared.leaveIdle(thief)
	if !thief.spawnQueued(1, false) {
		t.Fatal("it found nothing")
	}
}

// Two workers wait at ports for each other. What waits outside could not help them, for
// there is no room; it is handed back.
func TestQueuedPayloadsDoNotHideADeadlockOfFullWorkers(t *testing.T) {
	left := 0
	p := newIslandPool(t, &island.Registry{SelfContained: true}, Config[chore]{Workers: 2, Scheduler: small(1, 1), Dropped: func(chore) { left++ }})
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
	p.mustSpawn(t, forEver)
	var found *island.DeadlockError
	if err := p.Run(t.Context()); !errors.As(err, &found) || left != 1 {
		t.Fatalf("%d left, %v", left, err)
	}
}
