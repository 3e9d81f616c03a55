package scheduler

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// verdicts are the tests of an idle scheduler, each with one fiber that is blocked
// without end beside whatever else the case brings.
var verdicts = []struct {
	name    string
	kind    VerdictKind
	until   fiber.Time
	prepare func(g *testScheduler)
}{
	{"nothing else", Deadlock, fiber.Never, func(g *testScheduler) {}},
	{"a fiber is ready", Busy, 0, func(g *testScheduler) { g.spawnReady(Options{}) }},
	{"a doomed fiber is to be buried", Busy, 0, func(g *testScheduler) { g.Kill(g.spawnReady(Options{}).ID(), nil) }},
	{"a command was posted", Busy, 0, func(g *testScheduler) { g.Inbox().Kill(0, nil) }},
	{"a pinned call that may go on", Busy, 0, func(g *testScheduler) {
		g.spawnRunning(Options{Nests: true})
		g.call()
		g.Calls().YieldPinned()
	}},
	{"a sleeper", Waiting, 70, func(g *testScheduler) { g.spawnBlocked(Options{}, fiber.Until(70)) }},
	{"a wait with a deadline", Waiting, 70, func(g *testScheduler) { g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(70), new(fakeSource)) }},
	{"the earlier of two deadlines", Waiting, 70, func(g *testScheduler) {
		g.spawnBlocked(Options{}, fiber.Until(80))
		g.spawnBlocked(Options{}, fiber.Until(70))
	}},
	{"a grace", Waiting, 30, func(g *testScheduler) {
		id := g.spawnRunning(Options{})
		g.Unwind().Mask()
		g.Cancel(id.ID(), nil)
		g.blockIn(fiber.OnQueue())
	}},
	{"a deadline that became stale", Deadlock, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.Arm(fiber.OnQueue().WithDeadline(70))
		g.Disarm()
		g.blockIn(fiber.OnQueue())
	}},
	{"a deadline of a fiber that is dead", Deadlock, fiber.Never, func(g *testScheduler) {
		g.Kill(g.spawnBlocked(Options{}, fiber.Until(70)).ID, nil)
	}},
	{"a grace of a fiber that is dead", Deadlock, fiber.Never, func(g *testScheduler) {
		id := g.spawnRunning(Options{})
		g.Cancel(id.ID(), nil)
		g.KillCurrent()
	}},
	{"an operation that is awaited", Waiting, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.blockIn(fiber.OnIO(g.submit()))
	}},
	{"an operation whose cell is waited for", Waiting, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		cell := new(ioqueue.Cell)
		g.Ops().Attach(g.submit(), cell)
		g.call()
		cell.Park(g.Arm(fiber.OnQueue(), cell.Source()), 0)
		g.Block()
	}},
	{"an operation that is not awaited", Deadlock, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.submit()
		g.blockIn(fiber.OnQueue())
	}},
	{"an operation that completed and was not collected", Deadlock, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.Ops().Complete(g.submit(), ioqueue.Completion{})
		g.blockIn(fiber.OnQueue())
	}},
	{"an operation of a fiber that is dead", Deadlock, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.submit()
		g.KillCurrent()
	}},
	{"a wait from outside", Waiting, fiber.Never, func(g *testScheduler) { g.spawnBlocked(Options{}, fiber.OnQueue().FromOutside()) }},
	{"a wait from outside that is over", Deadlock, fiber.Never, func(g *testScheduler) {
		t := g.spawnBlocked(Options{}, fiber.OnQueue().FromOutside())
		g.Wake(t.ID)
		g.next()
		g.blockIn(fiber.OnQueue())
	}},
	{"a sender that is open", Waiting, fiber.Never, func(g *testScheduler) { g.Inbox().NewSender() }},
	{"a sender that was closed", Deadlock, fiber.Never, func(g *testScheduler) {
		sender := g.Inbox().NewSender()
		sender.Close()
		sender.Close()
		g.Poll()
	}},
	{"a native call waits", Deadlock, fiber.Never, func(g *testScheduler) {
		g.spawnRunning(Options{})
		g.call()
		g.blockIn(fiber.OnQueue())
	}},
}

func TestAVerdictSaysExactlyWhatAnIdleSchedulerWaitsFor(t *testing.T) {
	for _, v := range verdicts {
		t.Run(v.name, func(t *testing.T) {
			g := newTestScheduler(t, Config{Grace: 30})
			g.spawnBlocked(Options{}, fiber.OnQueue())
			v.prepare(g)
			got := g.idles(v.kind)
			if got.Until != v.until || (got.Report != nil) != (v.kind == Deadlock) {
				t.Fatalf("%+v", got)
			}
		})
	}
}

func TestASchedulerWithoutFibersIsDoneUnlessASenderIsOpen(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.idles(Done)
	sender := g.Inbox().NewSender()
	if v := g.idles(Waiting); v.Until != fiber.Never {
		t.Fatalf("until %v", v.Until)
	}
	sender.Close()
	g.idles(Busy) // the close is looked at
	g.Poll()
	g.idles(Done)
}

func TestWhatHasWorkAndBlockedFibersSay(t *testing.T) {
	g := newTestScheduler(t, Config{})
	check := func(work, blocked, io bool) {
		t.Helper()
		if g.HasWork() != work || (g.Inspect().Blocked() > 0) != blocked || g.HasIOWaiters() != io {
			t.Fatalf("work %v, blocked %v, io %v", g.HasWork(), (g.Inspect().Blocked() > 0), g.HasIOWaiters())
		}
	}
	check(false, false, false)
	id := g.spawnReady(Options{})
	check(true, false, false)
	g.mount(id)
	check(true, false, false)
	tok := g.submit()
	g.BlockForIO(tok)
	check(false, true, true)
	g.Ops().Complete(tok, ioqueue.Completion{})
	check(true, false, false)
}

// A sender posts first and closes then: a look in between must see one of both.
func TestASenderThatClosesLeavesNoMomentOfDeadlock(t *testing.T) {
	type awaited struct {
		sender *Sender
		ticket fiber.Ticket
	}
	var next atomic.Pointer[awaited] // spun on: the moment is some nanoseconds long
	go func() {
		for {
			e := next.Swap(nil)
			if e == nil {
				runtime.Gosched()
				continue
			}
			if e.sender == nil {
				return
			}
			_ = e.sender.inbox.Deliver(e.ticket, ok)
			e.sender.Close()
		}
	}()
	g := newTestScheduler(t, Config{})
	for range 10_000 {
		ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
		next.Store(&awaited{g.Inbox().NewSender(), ticket})
		spins := 0
		for g.Inspect().Live() > 0 {
			if g.Poll() {
				g.next()
				g.KillCurrent()
			} else if v := g.Steps().IdleVerdictWithReport(); v.Kind == Deadlock {
				t.Fatal("deadlock, while a sender was about to wake the fiber")
			} else if spins++; spins%64 == 0 {
				runtime.Gosched() // there may be one processor only
			}
		}
	}
	next.Store(&awaited{})
}
