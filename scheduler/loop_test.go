package scheduler

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"weak"

	"github.com/selvage-dev/selvage/fiber"
)

// The main fiber may end in a Poll, by a command; the others must not be slept for then.
func TestARunWhoseMainFiberWasKilledFromOutsideDoesNotRestFirst(t *testing.T) {
	g := newTestScheduler(t, Config{})
	main := g.spawnBlocked(Options{Main: true}, fiber.OnQueue())
	g.spawnBlocked(Options{}, fiber.Until(1000))
	loop := g.Steps().Begin(context.Background())
	defer loop.Close()
	if err := g.Inbox().Kill(main.ID, nil); err != nil {
		t.Fatal(err)
	}
	if g.Poll() {
		t.Fatal("somebody is ready")
	}
	if over, err := loop.Sleep(); over || err != nil {
		t.Fatalf("the run is over (%v, %v), and one fiber lives", over, err)
	}
	if g.Poll(); g.Now() != 0 {
		t.Errorf("the loop slept until %v", g.Now())
	}
}

// A host that asks for the verdict itself must not get a deadlock report of fibers that are
// about to be killed.
func TestARunIsNotOverBeforeTheOthersWereKilled(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Main: true})
	loop := g.Steps().Begin(context.Background())
	defer loop.Close()
	g.KillCurrent()
	g.spawnBlocked(Options{}, fiber.OnQueue())
	verdict := g.idles(Deadlock)
	if over, err := loop.Finished(verdict); over || err != nil {
		t.Fatalf("over before the others were killed: %v, %v", over, err)
	}
	loop.CheckStop()
	if over, err := loop.Finished(g.idles(Done)); !over || err != nil {
		t.Fatalf("not over when all are dead: %v, %v", over, err)
	}
}

func TestAFailureComesFromOutsideToo(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	if err := g.Inbox().Deliver(ticket, fiber.Result{Code: fiber.Failed, Value: 3}); err != nil {
		t.Fatal(err)
	}
	g.Poll()
	g.next()
	if _, r := g.Claim(); r != (fiber.Result{Code: fiber.Failed, Value: 3}) {
		t.Errorf("%v", r)
	}
}

// The owner may have found what was posted before it heard the alarm, and gone to sleep again.
func TestPostDoesNotWaitForTheOwner(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 3 {
		g.inbox.asleep.Store(true)
		if err := g.Inbox().Do(func() {}); err != nil {
			t.Fatal(err)
		}
	}
	g.inbox.asleep.Store(false)
	g.Poll()
}

func TestDrainingTellsWhetherAnythingHadCome(t *testing.T) {
	g := newTestScheduler(t, Config{})
	if g.Steps().DrainCommands() {
		t.Error("nothing had come")
	}
	g.Inbox().Do(func() {})
	if !g.Steps().DrainCommands() {
		t.Error("a command had come")
	}
	if g.Steps().DrainCommands() {
		t.Error("it was carried out before")
	}
}

// What is over can be collected, whether or not another one comes.
func TestWhatIsOverKeepsNothingAlive(t *testing.T) {
	for name, over := range map[string]func(g *testScheduler, lock *bulky){
		"a command": func(g *testScheduler, lock *bulky) {
			g.YieldCurrent()
			g.Inbox().Do(func() { lock[0] = 1 })
			g.Poll()
		},
		"a lock": func(g *testScheduler, lock *bulky) { g.Attachments().Own(lock); g.Attachments().Disown(lock) },
		"a link": func(g *testScheduler, lock *bulky) { g.Attachments().Link(lock); g.Attachments().Unlink(lock) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			g.spawnRunning(Options{Name: "named"})
			lock := new(bulky)
			kept := weak.Make(lock)
			over(g, lock)
			runtime.GC()
			if kept.Value() != nil {
				t.Error("it is still referred to")
			}
			runtime.KeepAlive(g)
		})
	}
}

// bulky is what one would not like to keep.
type bulky [1 << 16]byte

func (*bulky) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup { return dst }
func (*bulky) Died(_ fiber.Death, dst []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	return dst, orders
}

func TestTheNextDeadlineIsTheEarliestThatIsOn(t *testing.T) {
	g := newTestScheduler(t, Config{})
	if at := g.Steps().NextDeadline(); at != fiber.Never {
		t.Errorf("%v, and nobody waits", at)
	}
	g.spawnBlocked(Options{}, fiber.Until(70))
	early := g.spawnBlocked(Options{}, fiber.Until(50))
	if at := g.Steps().NextDeadline(); at != 50 {
		t.Errorf("%v, not 50", at)
	}
	g.Kill(early.ID, nil)
	if at := g.Steps().NextDeadline(); at != 70 {
		t.Errorf("%v, not 70", at)
	}
}

// Time stands still between turns, and moves with each, also where nothing is due.
func TestTheTimeMovesOnWithTheStepThatChecksTheTimers(t *testing.T) {
	clock := NewVirtualClock()
	g := newTestScheduler(t, Config{Clock: clock})
	g.spawnBlocked(Options{}, fiber.Until(100))
	g.Now()
	clock.Advance(40)
	if now := g.Now(); now != 0 {
		t.Errorf("%v in the same turn", now)
	}
	g.Steps().CheckTimers()
	if now := g.Now(); now != 40 {
		t.Errorf("%v in the next one", now)
	}
	clock.Advance(100)
	g.Steps().CheckTimers()
	if !g.Steps().BeginBatch() {
		t.Error("the deadline has passed and no fiber is ready")
	}
}

// watchedClock has its Wait seen, and ends it by ending the run.
type watchedClock struct {
	*VirtualClock
	end  func()
	seen context.Context
}

func (c *watchedClock) Wait(ctx context.Context, _ fiber.Time, _ <-chan struct{}) {
	c.seen = ctx
	c.end()
}

func TestAPumpSleepsNoLongerThanItsRun(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "the run's"))
	clock := &watchedClock{NewVirtualClock(), cancel, context.Background()}
	p := newPumpScheduler(t, Config{Clock: clock})
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) { p.wait(fiber.OnQueue().FromOutside(), nil) })
	})
	if err := p.Run(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	if clock.seen.Value(key{}) != "the run's" {
		t.Error("it slept under another context")
	}
}

// A pump ends with its run: when the context ends, the next turn of the pump kills every fiber.
func TestATurnOfAPumpEndsWithTheContext(t *testing.T) {
	p := newPumpScheduler(t, Config{})
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	p.spawnReady(Options{}, func() {
		p.call(func(fiber.TrampolineID) {
			cancel(why)
			p.Calls().PumpTurn(p)
			if code, cause := p.TakeInterrupt(); code != fiber.Killed || !errors.Is(cause, why) {
				t.Errorf("it goes on: %v, %v", code, cause)
			}
		})
	})
	p.spawnReady(Options{}, func() { p.note("runs") })
	if err := p.Run(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	p.wantNotes()
}
