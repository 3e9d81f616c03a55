package scheduler

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

var errWhy = errors.New("why")

func TestCancelEndsTheWaitOfABlockedFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := new(fakeSource)
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue(), b)
	if err := g.Cancel(ticket.ID, errWhy); err != nil {
		t.Fatal(err)
	}
	if b.Holds(ticket) {
		t.Fatal("the wait is over and still registered")
	}
	g.next()
	g.claims(fiber.Cancelled)
	if g.Unwind().Cause(ticket.ID) != errWhy {
		t.Fatalf("cause %v", g.Unwind().Cause(ticket.ID))
	}
	if code, _ := g.TakeInterrupt(); code != fiber.Pending {
		t.Fatalf("told a second time: %v", code)
	}
}

// list and detailed are errors that Go cannot compare: == of two of them panics.
type (
	list     []error
	detailed struct{ detail any }
)

func (l list) Error() string     { return fmt.Sprint([]error(l)) }
func (r detailed) Error() string { return fmt.Sprint(r.detail) }

// uncomparables are causes of a cancel that no errors.Is can find again.
var uncomparables = map[string]error{"a list": list{errWhy}, "a struct": detailed{[]int{1}}}

func TestACauseThatCannotBeComparedIsStillKnownForWhatItIs(t *testing.T) {
	for name, cause := range uncomparables {
		t.Run(name, func(t *testing.T) {
			l := newFailureRecorder(t, Config{})
			id := l.spawnRunning(Options{}).ID()
			l.Cancel(id, cause)
			told := l.Unwind().Cause(id)
			if told.Error() != cause.Error() {
				t.Fatalf("told %v", told)
			}
			if l, ok := cause.(list); ok && !errors.As(told, &l) {
				t.Fatalf("the cause is not in %#v", told)
			}
			l.Exit(nil, fmt.Errorf("gave up: %w", told))
			l.wantFailures() // it did as it was told
		})
	}
}

func TestCancelOfAFiberThatDoesNotWaitInterruptsItsNextBlock(t *testing.T) {
	for name, state := range map[string]func(g *testScheduler) fiber.RegularID{
		"runnable": func(g *testScheduler) fiber.RegularID {
			id := g.spawnReady(Options{})
			g.Cancel(id.ID(), errWhy)
			g.mount(id)
			return id
		},
		"running": func(g *testScheduler) fiber.RegularID {
			id := g.spawnRunning(Options{})
			g.Cancel(id.ID(), errWhy)
			return id
		},
		"armed": func(g *testScheduler) fiber.RegularID {
			id := g.spawnRunning(Options{})
			g.ArmForQueue()
			g.Cancel(id.ID(), errWhy)
			g.Disarm()
			return id
		},
		"in a native call": func(g *testScheduler) fiber.RegularID {
			id := g.spawnRunning(Options{})
			g.Cancel(g.call().ID(), errWhy)
			return id
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := state(g)
			g.is(id.ID(), fiber.Running)
			b := new(fakeSource)
			ticket := g.Arm(fiber.OnQueue(), b)
			b.park(ticket)
			if how := g.Block(); how != Interrupted || how.LeavesCPU() {
				t.Fatalf("Block: %v", how)
			}
			if b.Holds(ticket) {
				t.Fatal("the interrupted wait is still registered")
			}
			g.claims(fiber.Cancelled)
			g.delivers(ticket, fiber.Stale)
			g.blockIn(fiber.OnQueue()) // the unwind may wait: it is told once
		})
	}
}

func TestAPollTellsOfACancellationOnce(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	g.Cancel(id.ID(), nil)
	if code, cause := g.TakeInterrupt(); code != fiber.Cancelled || cause != ErrCancelled {
		t.Fatalf("%v, %v", code, cause)
	}
	if code, cause := g.TakeInterrupt(); code != fiber.Pending || cause != nil {
		t.Fatalf("the second time: %v, %v", code, cause)
	}
	g.blockIn(fiber.OnQueue())
}

func TestALatchedResultWinsAndTheCancellationStaysPending(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	ticket := g.ArmForQueue()
	g.delivers(ticket, fiber.Latched)
	g.Cancel(id.ID(), nil)
	if how := g.Block(); how != Requeued {
		t.Fatalf("Block: %v", how)
	}
	g.wakesWith(id, fiber.OK)
	g.ArmForQueue()
	if how := g.Block(); how != Interrupted {
		t.Fatalf("the next Block: %v", how)
	}
	g.claims(fiber.Cancelled)
}

func TestAMaskPutsACancellationOff(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	g.Unwind().Mask()
	g.Unwind().Mask()
	g.Cancel(id.ID(), nil)
	g.blockIn(fiber.OnQueue())
	g.is(id.ID(), fiber.Blocked)
	g.Wake(id.ID())
	g.wakesWith(id, fiber.OK)
	g.Unwind().Unmask()
	if code, _ := g.TakeInterrupt(); code != fiber.Pending {
		t.Fatalf("one of two masks undone: %v", code)
	}
	g.Unwind().Unmask()
	g.ArmForQueue()
	if how := g.Block(); how != Interrupted {
		t.Fatalf("Block after the last mask: %v", how)
	}
}

func TestAMaskedWaitIsNotEndedByACancellation(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	g.Unwind().Mask()
	ticket := g.blockIn(fiber.OnQueue())
	g.Cancel(id.ID(), nil)
	g.is(id.ID(), fiber.Blocked)
	g.delivers(ticket, fiber.Woken)
	g.wakesWith(id, fiber.OK)
}

func TestACancellationActsOnTheWholeChainWhicheverMemberIsNamed(t *testing.T) {
	for name, pick := range map[string]int{"root": 0, "middle": 1, "top": 2} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			root := g.spawnRunning(Options{})
			members := []fiber.ID{root.ID(), g.call().ID(), g.call().ID()}
			b := new(fakeSource)
			ticket := g.blockIn(fiber.OnQueue(), b)
			g.Cancel(members[pick], errWhy)
			g.is(root.ID(), fiber.Runnable)
			g.is(members[2], fiber.Running)
			if b.Holds(ticket) {
				t.Fatal("the wait of the top is still registered")
			}
			g.wakesWith(root, fiber.Cancelled)
			for _, id := range members {
				if g.Unwind().Cause(id) != errWhy {
					t.Fatalf("the cause of %v is %v", id, g.Unwind().Cause(id))
				}
			}
		})
	}
}

func TestTheFirstCauseStays(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnReady(Options{Frames: true}).ID()
	g.Cancel(id, errWhy)
	before := g.Inspect().Dump()
	g.Cancel(id, errors.New("another"))
	if g.Inspect().Dump() != before || g.Unwind().Cause(id) != errWhy {
		t.Fatal("the second cancellation changed something")
	}
	g.Kill(id, errWhy)
	first := g.Unwind().Cause(id)
	if !errors.Is(first, ErrKilled) || !errors.Is(first, errWhy) {
		t.Fatalf("cause %v", first)
	}
	before = g.Inspect().Dump()
	g.Kill(id, errors.New("another"))
	g.Cancel(id, errors.New("a third"))
	if g.Inspect().Dump() != before || g.Unwind().Cause(id) != first {
		t.Fatal("a doomed fiber changed")
	}
}

func TestACancelledFiberThatOverstaysItsGraceIsKilled(t *testing.T) {
	for name, tc := range map[string]func(g *testScheduler) fiber.RegularID{
		"blocked in a deferred call": func(g *testScheduler) fiber.RegularID {
			ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.Cancel(ticket.ID, nil)
			id, _ := ticket.ID.Regular()
			g.wakesWith(id, fiber.Cancelled)
			g.blockIn(fiber.OnQueue())
			return id
		},
		"masked": func(g *testScheduler) fiber.RegularID {
			id := g.spawnRunning(Options{})
			g.Unwind().Mask()
			g.Cancel(id.ID(), nil)
			g.blockIn(fiber.OnQueue())
			return id
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{Grace: 100})
			id := tc(g)
			if v := g.idles(Waiting); v.Until != 100 {
				t.Fatalf("the grace ends at %v", v.Until)
			}
			g.at(99)
			g.is(id.ID(), fiber.Blocked)
			g.at(100)
			g.is(id.ID(), fiber.Dead)
			if g.timers.live != 0 || g.Inspect().Counts().Killed != 1 {
				t.Fatalf("%d timers, %+v", g.timers.live, g.Inspect().Counts())
			}
		})
	}
}

func TestTheGraceOfAFiberWithFramesEndsInAPendingKill(t *testing.T) {
	g := newTestScheduler(t, Config{Grace: 100})
	id := g.spawnRunning(Options{Frames: true})
	g.Cancel(id.ID(), nil)
	g.TakeInterrupt()
	g.blockIn(fiber.OnQueue())
	g.at(100)
	g.is(id.ID(), fiber.Runnable)
	if !g.Unwind().KillPending(id.ID()) || !errors.Is(g.Unwind().Cause(id.ID()), ErrGraceOver) {
		t.Fatalf("doomed %v, cause %v", g.Unwind().KillPending(id.ID()), g.Unwind().Cause(id.ID()))
	}
	g.wakesWith(id, fiber.Killed)
	if _, err := g.KillCurrent(); !errors.Is(err, ErrGraceOver) || !errors.Is(err, ErrKilled) {
		t.Fatalf("ended with %v", err)
	}
}

func TestAFiberThatUnwindsInTimeTakesItsGraceTimerAlong(t *testing.T) {
	g := newTestScheduler(t, Config{Grace: 100})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.Cancel(ticket.ID, nil)
	id, _ := ticket.ID.Regular()
	g.wakesWith(id, fiber.Cancelled)
	if result, err := g.Exit("cleaned up", errWhy); result != "cleaned up" || err != errWhy {
		t.Fatalf("ended with %v, %v", result, err)
	}
	g.idles(Done)
	successor := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.at(100)
	g.is(successor.ID, fiber.Blocked)
}
