package scheduler

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestAWaitThatWasTakenBackIsOverAndWithoutAResult(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnBlocked(Options{}, fiber.OnQueue()).ID
	g.Wake(id)
	g.next()
	g.claims(fiber.OK)
	b := new(fakeSource)
	ticket := g.Arm(fiber.OnQueue().WithDeadline(50), b)
	b.park(ticket)
	if r, got := g.Disarm(); got || r != (fiber.Result{}) {
		t.Fatalf("%v, %v", r, got)
	}
	if b.Holds(ticket) || b.Slot() != 0 || g.timers.live != 0 {
		t.Fatal("the wait is over and still registered")
	}
	g.claims(fiber.Pending)
	g.delivers(ticket, fiber.Stale)
}

func TestALatchedResultIsReturnedByDisarm(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.Deliver(g.Arm(fiber.OnQueue(), new(fakeSource)), fiber.Result{Code: fiber.Closed, Value: 8})
	if r, got := g.Disarm(); !got || r != (fiber.Result{Code: fiber.Closed, Value: 8}) {
		t.Fatalf("%v, %v", r, got)
	}
	g.blockIn(fiber.OnQueue()) // nothing of it is left
}

func TestADisarmedWaitWakesTheWaitersBehindIt(t *testing.T) {
	for name, giveUp := range map[string]func(g *testScheduler, id fiber.ID){
		"disarmed":          func(g *testScheduler, id fiber.ID) { g.Disarm() },
		"interrupted":       func(g *testScheduler, id fiber.ID) { g.Cancel(id, nil); g.Block() },
		"cancelled":         func(g *testScheduler, id fiber.ID) { g.Block(); g.Cancel(id, nil) },
		"killed":            func(g *testScheduler, id fiber.ID) { g.Block(); g.Kill(id, nil) },
		"killed by command": func(g *testScheduler, id fiber.ID) { g.Block(); g.Inbox().Kill(id, nil); g.Poll() },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			behind := g.spawnBlocked(Options{Frames: true}, fiber.OnQueue())
			b := &fakeSource{onLeave: []fiber.Wakeup{{Ticket: behind, Result: ok}}}
			id := g.spawnRunning(Options{}).ID()
			b.park(g.Arm(fiber.OnQueue(), b))
			giveUp(g, id)
			g.is(behind.ID, fiber.Runnable)
		})
	}
}

// KillAll carries out what each death decides before the next kill: the waiter behind, which is
// later in slot order, is woken first.
func TestAWaiterBehindAKilledOneIsWokenBeforeItIsKilled(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := new(fakeSource)
	id := g.spawnRunning(Options{}).ID()
	b.park(g.Arm(fiber.OnQueue(), b))
	g.Block()
	behind := g.spawnBlocked(Options{Frames: true}, fiber.OnQueue())
	b.onLeave = []fiber.Wakeup{{Ticket: behind, Result: ok}}
	g.Steps().KillAll(nil)
	g.is(id, fiber.Dead)
	g.is(behind.ID, fiber.Runnable)
	g.wakesWith(fiber.RegularID(behind.ID), fiber.OK)
}

// A fiber that a withdrawal wakes may cause further wake-ups.
func TestWakeUpsThatFollowFromEachOtherAreAllDelivered(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var want []fiber.ID
	last := g.spawnBlocked(Options{}, fiber.OnQueue())
	boxes := []*fakeSource{{onLeave: []fiber.Wakeup{{Ticket: last, Result: ok}}}}
	want = append(want, last.ID)
	for n := range 5 {
		ticket := g.spawnBlocked(Options{}, fiber.OnQueue(), boxes[n])
		boxes = append(boxes, &fakeSource{onLeave: []fiber.Wakeup{{Ticket: ticket, Result: ok}}})
		want = slices.Insert(want, 0, ticket.ID)
	}
	g.spawnRunning(Options{})
	b := boxes[5]
	b.park(g.Arm(fiber.OnQueue(), b))
	g.Disarm()
	g.KillCurrent()
	if got := g.wakeOrder(); !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v, not %v", got, want)
	}
}

func TestAnOperationThatWasDisarmedCanBeAwaitedAgain(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	tok := g.submit()
	g.Arm(fiber.OnIO(tok).WithDeadline(10))
	g.Disarm()
	if got := g.Ops().Cancellations(nil); got != nil || g.HasIOWaiters() {
		t.Fatalf("%v is to be cancelled", got)
	}
	g.BlockForIO(tok)
	g.Ops().Complete(tok, ioqueue.Completion{N: 3})
	g.wakesWith(id, fiber.OK)
	if done, got := g.Ops().Completion(tok); !got || done.N != 3 {
		t.Fatalf("%+v, %v", done, got)
	}
}

func TestACompletionBeforeItsArmIsKeptAndLatched(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	tok := g.submit()
	if v := g.Ops().Complete(tok, ioqueue.Completion{N: 3}); v != ioqueue.Early {
		t.Fatalf("%v", v)
	}
	ticket := g.Arm(fiber.OnIO(tok).WithDeadline(50).FromOutside())
	g.delivers(ticket, fiber.Stale) // it is latched already
	if how := g.Block(); how != Requeued || g.timers.live != 0 || g.external != 0 {
		t.Fatalf("%v, %d deadlines, %d external", how, g.timers.live, g.external)
	}
	g.wakesWith(id, fiber.OK)
	if done, got := g.Ops().Completion(tok); !got || done.N != 3 {
		t.Fatalf("%+v, %v", done, got)
	}
	g.refuses("I8", op.Arm, func() { g.Arm(fiber.OnIO(tok)) })
}

func TestACompletionBetweenArmAndBlockIsLatched(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	tok := g.submit()
	g.Arm(fiber.OnIO(tok))
	if v := g.Ops().Complete(tok, ioqueue.Completion{}); v != ioqueue.Deliver {
		t.Fatalf("%v", v)
	}
	if how := g.Block(); how != Requeued {
		t.Fatalf("%v", how)
	}
}

func TestAWaitForAnOperationThatIsInterruptedAbandonsIt(t *testing.T) {
	for name, end := range map[string]func(g *testScheduler, id fiber.ID){
		"by a pending cancellation": func(g *testScheduler, id fiber.ID) { g.Cancel(id, nil); g.Block() },
		"by a pending kill":         func(g *testScheduler, id fiber.ID) { g.Kill(id, nil); g.Block() },
		"by a cancellation":         func(g *testScheduler, id fiber.ID) { g.Block(); g.Cancel(id, nil) },
		"by a kill":                 func(g *testScheduler, id fiber.ID) { g.Block(); g.Kill(id, nil) },
		"by a wake":                 func(g *testScheduler, id fiber.ID) { g.Block(); g.Wake(id) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := g.spawnRunning(Options{Frames: true}).ID()
			tok := g.submit()
			g.Arm(fiber.OnIO(tok))
			end(g, id)
			if got := g.Ops().Cancellations(nil); !slices.Equal(got, []fiber.Token{tok}) {
				t.Fatalf("to be cancelled: %v", got)
			}
			if v := g.Ops().Complete(tok, ioqueue.Completion{}); v != ioqueue.Late {
				t.Fatalf("%v", v)
			}
		})
	}
}

func TestATrampolineWaitsForAnOperationThroughACell(t *testing.T) {
	for name, early := range map[string]bool{"complete before": true, "complete after": false} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			root := g.spawnRunning(Options{})
			g.call()
			tok, cell := g.submit(), new(ioqueue.Cell)
			if early {
				g.Ops().Complete(tok, ioqueue.Completion{N: 4})
			}
			if err := g.Ops().Attach(tok, cell); err != nil {
				t.Fatal(err)
			}
			if !early {
				cell.Park(g.Arm(fiber.OnQueue(), cell.Source()), 0)
				g.Block()
				if v := g.Ops().Complete(tok, ioqueue.Completion{N: 4}); v != ioqueue.Attached {
					t.Fatalf("%v", v)
				}
				g.wakesWith(root, fiber.OK)
			}
			if value, err, done := cell.Result(); value.(ioqueue.Completion).N != 4 || err != nil || !done {
				t.Fatalf("%v, %v, %v", value, err, done)
			}
			if err := g.Ops().Attach(tok, cell); err != ioqueue.ErrUnknownToken {
				t.Fatalf("a token that is over: %v", err)
			}
		})
	}
}

func TestForgedCompletionsChangeNoFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	tok := g.submit()
	g.blockIn(fiber.OnIO(tok))
	for _, forged := range []fiber.Token{0, tok + 1, tok << 1, ^tok, tok | 1<<50} {
		if v := g.Ops().Complete(forged, ioqueue.Completion{}); v != ioqueue.Unknown {
			t.Fatalf("%d: %v", forged, v)
		}
	}
	g.is(id.ID(), fiber.Blocked)
	g.Ops().Complete(tok, ioqueue.Completion{})
	if v := g.Ops().Complete(tok, ioqueue.Completion{}); v != ioqueue.Duplicate {
		t.Fatalf("%v", v)
	}
	if g.run().len() != 1 {
		t.Fatalf("%d fibers are ready", g.run().len())
	}
}
