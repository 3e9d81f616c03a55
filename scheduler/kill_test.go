package scheduler

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestKillOfAParkedFiberWithoutFramesIsItsDeath(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for name, sleep := range map[string]func() fiber.Ticket{
		"queue": func() fiber.Ticket { return g.blockIn(fiber.OnQueue(), new(fakeSource)) },
		"timer": func() fiber.Ticket { return g.blockIn(fiber.Until(9)) },
		"both": func() fiber.Ticket {
			return g.blockIn(fiber.OnQueue().WithDeadline(9), new(fakeSource), new(fakeSource))
		},
		"io": func() fiber.Ticket { return g.blockIn(fiber.OnIO(g.submit())) },
	} {
		t.Run(name, func(t *testing.T) {
			id := g.spawnRunning(Options{})
			sleep()
			g.Kill(id.ID(), nil)
			g.is(id.ID(), fiber.Dead)
			g.Inspect().Verify()
			if g.timers.live != 0 || g.HasIOWaiters() || g.reg.exts.live() != 0 {
				t.Fatalf("something of it is left:\n%s", g.Inspect().Dump())
			}
		})
	}
}

func TestKillOfAReadyFiberWithoutFramesTakesItWhenItsTurnComes(t *testing.T) {
	g := newTestScheduler(t, Config{})
	before, doomed, after := g.spawnReady(Options{}), g.spawnReady(Options{}), g.spawnReady(Options{})
	g.Poll()
	g.Kill(doomed.ID(), nil)
	g.is(doomed.ID(), fiber.Runnable)
	if !g.Unwind().KillPending(doomed.ID()) || g.Inspect().Live() != 3 {
		t.Fatalf("doomed %v, %d alive", g.Unwind().KillPending(doomed.ID()), g.Inspect().Live())
	}
	for _, want := range []fiber.RegularID{before, after, before} {
		if got := g.next(); got != want {
			t.Fatalf("%v runs, not %v", got, want)
		}
		g.YieldCurrent()
	}
	g.is(doomed.ID(), fiber.Dead)
}

// A batch that a poll looked up is no promise: a fiber that is killed in it does not run.
func TestAFiberKilledInTheMiddleOfABatchDoesNotRun(t *testing.T) {
	g := newTestScheduler(t, Config{})
	killer, victim := g.spawnReady(Options{}), g.spawnReady(Options{})
	if got := g.next(); got != killer {
		t.Fatalf("%v runs", got)
	}
	g.Kill(victim.ID(), nil)
	g.YieldCurrent()
	if got := g.next(); got != killer {
		t.Fatalf("the victim ran: %v", got)
	}
	g.is(victim.ID(), fiber.Dead)
}

func TestAPollCanFindOnlyFibersToReap(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 40 {
		g.Kill(g.spawnReady(Options{}).ID(), nil)
	}
	if !g.HasWork() {
		t.Fatal("the doomed are ready until they are reaped")
	}
	if g.Poll() || g.HasWork() || g.Inspect().Live() != 0 {
		t.Fatalf("%d are left", g.Inspect().Live())
	}
	if c := g.Inspect().Counts(); c.Killed != 40 || c.Ended != 40 || c.Spawned != 40 {
		t.Fatalf("%+v", c)
	}
	g.idles(Done)
}

func TestAFiberWithFramesUnwindsBeforeItIsDead(t *testing.T) {
	for name, start := range map[string]func(g *testScheduler, id fiber.RegularID){
		"ready":   func(g *testScheduler, id fiber.RegularID) {},
		"blocked": func(g *testScheduler, id fiber.RegularID) { g.mount(id); g.blockIn(fiber.OnQueue()) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := g.spawnReady(Options{Frames: true})
			start(g, id)
			g.Kill(id.ID(), errWhy)
			g.is(id.ID(), fiber.Runnable)
			g.mount(id)
			if code, cause := g.TakeInterrupt(); code != fiber.Killed || !errors.Is(cause, errWhy) {
				t.Fatalf("%v, %v", code, cause)
			}
			for range 2 { // sticky: every operation of the unwind refuses
				g.ArmForQueue()
				if how := g.Block(); how != Interrupted {
					t.Fatalf("Block: %v", how)
				}
				g.claims(fiber.Killed)
			}
			g.YieldCurrent()
			g.mount(id)
			if result, err := g.Exit("result", nil); result != nil || !errors.Is(err, errWhy) {
				t.Fatalf("ended with %v, %v", result, err)
			}
		})
	}
}

func TestARunningFiberThatIsKilledDiesWithItsSliceWhateverTheOutcome(t *testing.T) {
	for _, o := range []fiber.Outcome{
		{Kind: fiber.FrameChanged}, {Kind: fiber.TimesliceExpired}, {Kind: fiber.Done}, {Kind: fiber.Panic},
		fiber.BlockOn(fiber.OnQueue()), fiber.Replace(fiber.Point{}), {},
	} {
		t.Run(o.Kind.String(), func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			b := new(fakeSource)
			id := g.spawnRunning(Options{})
			b.park(g.Arm(fiber.OnQueue(), b))
			g.Kill(id.ID(), nil)
			g.is(id.ID(), fiber.Running)
			if g.Finish(o) {
				t.Fatal("a killed fiber is to be resumed")
			}
			g.is(id.ID(), fiber.Dead)
			if len(b.waiting) != 0 {
				t.Fatal("its wait is still registered")
			}
		})
	}
}

func TestAKilledYielderDoesNotRunAgain(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	g.Kill(id.ID(), nil)
	g.YieldCurrent()
	if g.Poll() {
		t.Fatalf("%v runs again", id)
	}
	g.is(id.ID(), fiber.Dead)
}

func TestAKilledChainUnwindsFromTheTop(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{})
	outer, inner := g.call(), g.call()
	b := new(fakeSource)
	ticket := g.blockIn(fiber.OnQueue(), b)
	g.Kill(outer.ID(), errWhy) // whichever member is named
	g.is(root.ID(), fiber.Runnable)
	g.is(inner.ID(), fiber.Running)
	if b.Holds(ticket) || !g.Unwind().KillPending(inner.ID()) {
		t.Fatal("the wait of the top goes on")
	}
	g.wakesWith(root, fiber.Killed)
	if _, err := g.AcquireTrampoline(); err != ErrKilled {
		t.Fatalf("a doomed fiber begins a native call: %v", err)
	}
	if tok, err := g.Ops().Submit(); err != ErrKilled {
		t.Fatalf("a doomed fiber begins operation %d: %v", tok, err)
	}
	g.Arm(fiber.OnQueue())
	if how := g.Block(); how != Interrupted {
		t.Fatalf("a doomed call blocks: %v", how)
	}
	g.ReleaseTrampoline(inner)
	g.ReleaseTrampoline(outer)
	g.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
	g.is(root.ID(), fiber.Dead) // no frame of it is left
}

func TestAKilledChainMayBeCarriedWhileItUnwinds(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{})
	top := g.call()
	g.Kill(root.ID(), nil)
	g.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired})
	g.mount(root)
	g.ReleaseTrampoline(top)
	g.YieldCurrent()
	g.Poll()
	g.is(root.ID(), fiber.Dead)
}

func TestKillAllKillsInSlotOrder(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var order []fiber.ID
	for n := range 6 {
		var id fiber.ID
		o := Options{Frames: n == 5, Ended: func(any, error) { order = append(order, id) }}
		id = g.spawnBlocked(o, fiber.OnQueue()).ID
	}
	g.Steps().KillAll(errWhy)
	if len(order) != 5 || g.Inspect().Live() != 1 {
		t.Fatalf("%v died, %d live", order, g.Inspect().Live())
	}
	for n, id := range order {
		if id.Index() != uint32(n) {
			t.Fatalf("died in the order %v", order)
		}
	}
	g.next()
	g.KillCurrent()
	g.idles(Done)
}

func TestSpawnedFibersAreAliveOrEnded(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.KillCurrent()
	g.Kill(g.spawnBlocked(Options{}, fiber.OnQueue()).ID, nil)
	g.Kill(g.spawnReady(Options{}).ID(), nil)
	g.Poll()
	unwound := g.spawnRunning(Options{Frames: true})
	g.Kill(unwound.ID(), nil)
	g.KillCurrent()
	g.spawnBlocked(Options{}, fiber.OnQueue())
	g.spawnReady(Options{})
	want := Counts{Spawned: 6, Ended: 4, Killed: 3}
	if c := g.Inspect().Counts(); c != want || g.Inspect().Live() != 2 || g.Inspect().Blocked() != 1 {
		t.Fatalf("%+v, %d alive, %d blocked", c, g.Inspect().Live(), g.Inspect().Blocked())
	}
}

// Fibers that each spawn the next and kill themselves must not keep the loop from
// serving I/O and timers.
func TestABatchEndsHoweverItsFibersEnd(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnReady(Options{})
	g.Poll()
	ran := 0
	for g.ScheduleNext() != nil {
		if ran++; ran > batchSize {
			t.Fatal("the loop never polls")
		}
		g.Kill(g.Current(), nil)
		g.spawnReady(Options{})
		g.Finish(fiber.Outcome{Kind: fiber.Done})
	}
}
