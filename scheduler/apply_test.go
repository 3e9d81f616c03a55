package scheduler

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// serve applies what the source decides for its longest-waiting fiber.
func (g *testScheduler) serve(b *fakeSource) fiber.Delivery {
	return g.Apply(fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()})
}

// blockOn parks the current fiber in the source in one step.
func (g *testScheduler) blockOn(b *fakeSource) fiber.Ticket {
	g.t.Helper()
	t, how := g.BlockOn(b)
	if how != Parked {
		g.t.Fatalf("the fiber did not park: %v", how)
	}
	b.park(t)
	return t
}

func TestASourceThatRemovedTheTicketIsNotAskedToWithdraw(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	for range 3 { // the first time the object is new, then it is the one that was kept
		g.mountOrSpawn()
		g.blockOn(b)
		b.call = func() { t.Error("Withdraw was called") }
		if d := g.serve(b); d != fiber.Woken {
			t.Fatalf("the delivery is %v", d)
		}
		b.call = nil
		g.next()
		g.claims(fiber.OK)
		g.YieldCurrent()
	}
}

func TestAResultWithItsSourceArrivesWholeOrIsRefused(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	for range 3 {
		for code := range fiber.Failed + 5 {
			g.mountOrSpawn()
			g.blockOn(b)
			w := fiber.Wakeup{Ticket: b.match(), Result: fiber.Result{Code: code, Value: 7}, From: b.Slot()}
			if code < fiber.OK || code > fiber.Failed {
				g.refuses("VALID-ARGUMENT", op.Deliver, func() { g.Apply(w) })
				w.Result.Code = fiber.OK
			}
			g.Apply(w)
			g.next()
			if _, got := g.Claim(); got != w.Result {
				t.Fatalf("%v arrived, not %v", got, w.Result)
			}
			g.YieldCurrent()
		}
	}
}

// I5: in the short way too, which a fiber takes that waits on the same object again.
func TestEachWaitOnTheSameObjectHasATicketOfItsOwn(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	var old fiber.Ticket
	for range 4 {
		g.mountOrSpawn()
		ticket := g.blockOn(b)
		if ticket.Seq <= old.Seq {
			t.Fatalf("%v comes after %v", ticket, old)
		}
		if old != (fiber.Ticket{}) {
			g.delivers(old, fiber.Stale)
		}
		old = ticket
		g.serve(b)
		g.next()
		g.claims(fiber.OK)
		g.YieldCurrent()
	}
}

// mountOrSpawn runs the only fiber, which it makes the first time.
func (g *testScheduler) mountOrSpawn() {
	g.t.Helper()
	if g.Inspect().Live() == 0 {
		g.spawnReady(Options{})
	}
	g.next()
}

func TestASourceCannotNameAnotherAsItsOwn(t *testing.T) {
	g, b, other := newTestScheduler(t, Config{}), new(fakeSource), new(fakeSource)
	g.spawnBlocked(Options{}, fiber.OnQueue(), other)
	g.spawnRunning(Options{})
	ticket := g.blockOn(b)
	if d := g.Apply(fiber.Wakeup{Ticket: ticket, Result: ok, From: other.Slot()}); d != fiber.Woken {
		t.Fatalf("the delivery is %v", d)
	}
	if b.Holds(ticket) {
		t.Fatal("the wait is over and its object still holds it")
	}
}

func TestAWaitOnSeveralSourcesIsWithdrawnFromAll(t *testing.T) {
	g, b, other := newTestScheduler(t, Config{}), new(fakeSource), new(fakeSource)
	g.spawnRunning(Options{Name: "with a record"})
	ticket := g.blockIn(fiber.OnQueue(), b, other)
	if d := g.Apply(fiber.Wakeup{Ticket: ticket, Result: ok}); d != fiber.Woken {
		t.Fatalf("the delivery is %v", d)
	}
	if b.Holds(ticket) || other.Holds(ticket) {
		t.Fatal("the wait is over and an object still holds it")
	}
}

func TestAWaitAfterAKeptSourceIsOnItsOwnObject(t *testing.T) {
	for name, o := range map[string]Options{"bare": {}, "with a record": {Name: "named"}} {
		t.Run(name, func(t *testing.T) {
			g, b, other := newTestScheduler(t, Config{}), new(fakeSource), new(fakeSource)
			g.spawnBlocked(Options{}, fiber.OnQueue(), other) // so that it is known here
			id := g.spawnRunning(o)
			g.blockOn(b)
			g.serve(b)
			g.wakesWith(id, fiber.OK)
			ticket := g.ArmOn(other)
			other.park(ticket)
			g.Block()
			_ = g.Cancel(id.ID(), nil)
			if other.Holds(ticket) {
				t.Fatal("the wait is over and its object still holds it")
			}
		})
	}
}

func TestApplyNeverQueuesATrampolineThatHasARecord(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	root := g.spawnRunning(Options{Frames: true})
	call := g.call()
	g.Unwind().Panics().Defer(1, "cleanup") // what a guest defers is in the side record
	ticket := g.Arm(fiber.OnQueue(), b)
	b.park(ticket)
	g.Block()
	if d := g.serve(b); d != fiber.Woken {
		t.Fatalf("the delivery is %v", d)
	}
	g.is(call.ID(), fiber.Running)
	g.is(root.ID(), fiber.Runnable)
	g.mount(root)
	g.claims(fiber.OK)
	g.ReleaseTrampoline(call)
}

func TestAKeptSourceIsDroppedAtTheNextOtherWaitOrDeath(t *testing.T) {
	for name, next := range map[string]func(g *testScheduler, id fiber.RegularID){
		"it exits":                   func(g *testScheduler, _ fiber.RegularID) { g.KillCurrent() },
		"it waits by ticket":         func(g *testScheduler, _ fiber.RegularID) { g.BlockForQueue() },
		"it sleeps":                  func(g *testScheduler, _ fiber.RegularID) { g.blockIn(fiber.Until(50)) },
		"it waits on another object": func(g *testScheduler, _ fiber.RegularID) { g.blockOn(new(fakeSource)) },
		"it waits on several objects": func(g *testScheduler, _ fiber.RegularID) {
			g.blockIn(fiber.OnQueue(), new(fakeSource), new(fakeSource))
		},
		"it is killed": func(g *testScheduler, id fiber.RegularID) { g.YieldCurrent(); _ = g.Kill(id.ID(), nil); g.Poll() },
	} {
		t.Run(name, func(t *testing.T) {
			g, b := newTestScheduler(t, Config{}), new(fakeSource)
			id := g.spawnRunning(Options{})
			g.blockOn(b)
			g.serve(b)
			g.wakesWith(id, fiber.OK)
			if b.Slot() == 0 {
				t.Fatal("the object of the last wait was not kept")
			}
			next(g, id)
			if b.Slot() != 0 {
				t.Fatal("the object of the last wait is still kept")
			}
		})
	}
}

func TestTheZeroWakeupIsNoDelivery(t *testing.T) {
	if d := newTestScheduler(t, Config{}).Apply(fiber.Wakeup{}); d.Accepted() || d != 0 {
		t.Fatal(d)
	}
}

// unanchored is a source without an anchor, like a nil channel.
type unanchored struct{ fakeSource }

func (*unanchored) Anchored() *fiber.Anchor { return nil }

func TestASourceWithoutAnAnchorIsRefusedByNameAndChangesNothing(t *testing.T) {
	for name, wait := range map[string]func(g *testScheduler, src fiber.Source){
		"Arm":     func(g *testScheduler, src fiber.Source) { g.Arm(fiber.OnQueue(), src) },
		"ArmOn":   func(g *testScheduler, src fiber.Source) { g.ArmOn(src) },
		"BlockOn": func(g *testScheduler, src fiber.Source) { g.BlockOn(src) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			g.spawnRunning(Options{})
			before := g.Inspect().Dump()
			e := refusal(func() { wait(g, &unanchored{fakeSource{name: "nil chan"}}) })
			if e == nil || e.Op != op.Arm || !strings.Contains(e.Fix, "nil chan") {
				t.Fatalf("refused with %v", e)
			}
			if after := g.Inspect().Dump(); after != before {
				t.Fatalf("a refused call changed something:\n%s\nis now\n%s", before, after)
			}
		})
	}
}

// A fiber that has been served by an object keeps it at hand for its next wait. If that is
// for no object, the object is none of its sources: no report names it, and a caller that knows the
// fiber may wake it.
func TestAPlainWaitIsNotOnTheObjectOfTheWaitBefore(t *testing.T) {
	for name, arm := range map[string]func(g *testScheduler){
		"armed and blocked": func(g *testScheduler) { g.ArmForQueue(); g.Block() },
		"in one step":       func(g *testScheduler) { g.BlockForQueue() },
	} {
		t.Run(name, func(t *testing.T) {
			g, b := newTestScheduler(t, Config{}), &fakeSource{name: "box"}
			id := g.spawnRunning(Options{})
			ticket := g.blockIn(fiber.OnQueue(), b)
			b.match()
			g.delivers(ticket, fiber.Woken)
			g.wakesWith(id, fiber.OK)
			arm(g)
			if on := g.Inspect().Report().Stuck[0].Fibers[0].On; len(on) != 0 {
				t.Errorf("it waits on %v", on)
			}
			g.Wake(id.ID())
			g.is(id.ID(), fiber.Runnable)
			g.Inspect().Verify()
		})
	}
}
