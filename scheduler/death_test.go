package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestOwnerHooksAreCalledLatestFirst(t *testing.T) {
	for name, die := range map[string]func(g *testScheduler, id fiber.ID){
		"exits":          func(g *testScheduler, id fiber.ID) { g.KillCurrent() },
		"killed blocked": func(g *testScheduler, id fiber.ID) { g.blockIn(fiber.OnQueue()); g.Kill(id, nil) },
		"killed ready":   func(g *testScheduler, id fiber.ID) { g.YieldCurrent(); g.Kill(id, nil); g.Poll() },
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			var told []string
			first, second, third := &ownerHook{name: "first", told: &told}, &ownerHook{name: "second", told: &told}, &ownerHook{name: "third", told: &told}
			id := g.spawnRunning(Options{}).ID()
			g.Attachments().Own(first)
			g.Attachments().Own(second)
			g.Attachments().Own(first)
			g.Attachments().Own(third)
			g.Attachments().Disown(first) // the latest of the two
			g.Attachments().Disown(third)
			die(g, id)
			if want := []string{"second of f0.1", "first of f0.1"}; !slices.Equal(told, want) {
				t.Fatalf("told %v, not %v", told, want)
			}
			g.spawnRunning(Options{})
			g.KillCurrent()
			if len(told) != 2 {
				t.Fatalf("the slot's next fiber left it too: %v", told)
			}
		})
	}
}

func TestALockOfADeadOwnerWakesItsWaiters(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var told []string
	successors := []fiber.Ticket{g.spawnBlocked(Options{}, fiber.OnQueue()), g.spawnBlocked(Options{}, fiber.OnQueue())}
	owner := g.spawnRunning(Options{})
	call := g.call() // the root owns what a native call of it takes
	for _, h := range successors {
		g.Attachments().Own(&ownerHook{name: "lock", told: &told, wakes: []fiber.Wakeup{{Ticket: h, Result: fiber.Result{Code: fiber.Failed}}}})
	}
	g.ReleaseTrampoline(call)
	if len(told) != 0 {
		t.Fatalf("the end of a call is the owner's death: %v", told)
	}
	g.KillCurrent()
	if told[0] != "lock of "+owner.String() || len(told) != 2 {
		t.Fatalf("told %v", told)
	}
	if got, want := g.wakeOrder(), []fiber.ID{successors[1].ID, successors[0].ID}; !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v, not %v", got, want)
	}
}

func TestOperationsOfADeadFiberAreAbandoned(t *testing.T) {
	var dropped []fiber.Token
	g := newTestScheduler(t, Config{Dropped: func(tok fiber.Token, _ ioqueue.Completion) { dropped = append(dropped, tok) }})
	g.spawnRunning(Options{})
	inFlight, done, awaited := g.submit(), g.submit(), g.submit()
	g.Ops().Complete(done, ioqueue.Completion{N: 1})
	g.blockIn(fiber.OnIO(awaited))
	id := fiber.NewRegularID(0, 1).ID()
	g.Kill(id, nil)
	if !slices.Equal(dropped, []fiber.Token{done}) {
		t.Fatalf("dropped %v", dropped)
	}
	if got := g.Ops().Cancellations(nil); !slices.Equal(got, []fiber.Token{awaited, inFlight}) {
		t.Fatalf("to be cancelled: %v", got)
	}
	for _, tok := range []fiber.Token{inFlight, awaited} {
		if v := g.Ops().Complete(tok, ioqueue.Completion{}); v != ioqueue.Late {
			t.Fatalf("%v: %v", tok, v)
		}
	}
	if c := g.io.Counters(); c.Submitted != 3 || c.Completed != 1 || c.Late != 2 || g.io.Outstanding() != 0 {
		t.Fatalf("%+v, %d outstanding", c, g.io.Outstanding())
	}
}

func TestACellOfAnAbandonedOperationFails(t *testing.T) {
	g := newTestScheduler(t, Config{})
	cell := new(ioqueue.Cell)
	waiter := g.spawnJoiner(cell)
	owner := g.spawnRunning(Options{})
	if err := g.Ops().Attach(g.submit(), cell); err != nil {
		t.Fatal(err)
	}
	g.blockIn(fiber.OnQueue())
	g.Kill(owner.ID(), nil)
	if _, err, done := cell.Result(); !done || err != ioqueue.ErrAbandoned {
		t.Fatalf("cell: %v, %v", err, done)
	}
	g.is(waiter.ID, fiber.Runnable)
}

// spawnJoiner parks a new fiber on a cell.
func (g *testScheduler) spawnJoiner(cell *ioqueue.Cell) fiber.Ticket {
	g.t.Helper()
	g.spawnRunning(Options{})
	ticket := g.Arm(fiber.OnQueue(), cell.Source())
	if err := cell.Park(ticket, 0); err != nil {
		g.t.Fatal(err)
	}
	g.Block()
	return ticket
}

func TestJoinersWakeInTheOrderTheyCameAndTheCellOutlivesTheSlot(t *testing.T) {
	for name, tc := range map[string]struct {
		die    func(g *testScheduler, id fiber.ID)
		result any
		err    error
	}{
		"returns": {func(g *testScheduler, id fiber.ID) { g.Exit("answer", nil) }, "answer", nil},
		"fails":   {func(g *testScheduler, id fiber.ID) { g.Exit(nil, errWhy) }, nil, errWhy},
		"killed":  {func(g *testScheduler, id fiber.ID) { g.blockIn(fiber.OnQueue()); g.Kill(id, nil) }, nil, ErrKilled},
		"killed after it set a result": {func(g *testScheduler, id fiber.ID) {
			g.SetResult("answer", nil)
			g.Kill(id, nil)
			g.Finish(fiber.Outcome{Kind: fiber.Done})
		}, nil, ErrKilled},
		"reaped": {func(g *testScheduler, id fiber.ID) { g.YieldCurrent(); g.Kill(id, errWhy); g.Poll() }, nil, errWhy},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			cell := new(ioqueue.Cell)
			want := []fiber.ID{g.spawnJoiner(cell).ID, g.spawnJoiner(cell).ID, g.spawnJoiner(cell).ID}
			id := g.spawnRunning(Options{Cell: cell})
			tc.die(g, id.ID())
			g.is(id.ID(), fiber.Dead)
			if got := g.wakeOrder(); !slices.Equal(got, want) {
				t.Fatalf("woken in the order %v, not %v", got, want)
			}
			g.spawnRunning(Options{})
			result, err, done := cell.Result()
			if !done || result != tc.result || !errors.Is(err, tc.err) {
				t.Fatalf("cell: %v, %v, %v", result, err, done)
			}
		})
	}
}

func TestAKilledFiberThatFailsForThatFailsOnce(t *testing.T) {
	g := newTestScheduler(t, Config{})
	cell := new(ioqueue.Cell)
	id := g.spawnRunning(Options{Cell: cell, Frames: true})
	g.SetResult(nil, fmt.Errorf("unwound: %w", ErrKilled))
	g.Kill(id.ID(), errWhy)
	g.Finish(fiber.Outcome{Kind: fiber.Done})
	_, err, _ := cell.Result()
	if !errors.Is(err, errWhy) || strings.Contains(err.Error(), "unwound") {
		t.Errorf("it ended with %v", err)
	}
}

func TestEndedReceivesTheResultOnceTheFiberIsDead(t *testing.T) {
	g := newTestScheduler(t, Config{})
	told := 0
	var id fiber.RegularID
	id = g.spawnReady(Options{Ended: func(result any, err error) {
		told++
		if result != "answer" || err != nil || g.Inspect().State(id.ID()) != fiber.Dead {
			t.Errorf("told %v, %v of a fiber that is %v", result, err, g.Inspect().State(id.ID()))
		}
	}})
	g.mount(id)
	g.SetResult("answer", nil)
	g.Finish(fiber.Outcome{Kind: fiber.Done})
	if told != 1 {
		t.Fatalf("told %d times", told)
	}
}
