package scheduler

import (
	"errors"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestAWaitForAnOperationLeavesTheCPU(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	for range 3 { // the first time there is no record yet
		tok := g.submit()
		if how := g.BlockForIO(tok); how != Parked || g.Current() != 0 {
			t.Fatalf("%v, and %v is current", how, g.Current())
		}
		g.Ops().Complete(tok, ioqueue.Completion{})
		g.next()
		g.claims(fiber.OK)
		g.Ops().Completion(tok)
	}
}

// A fiber that waits for room is woken by whatever ends an operation: its completion, where a cell has
// it, and its being collected.
func TestWhateverEndsAnOperationMakesRoom(t *testing.T) {
	for name, end := range map[string]func(g *testScheduler, owner fiber.RegularID, tok fiber.Token){
		"it completes into a cell": func(g *testScheduler, _ fiber.RegularID, tok fiber.Token) {
			if err := g.Ops().Attach(tok, new(ioqueue.Cell)); err != nil {
				t.Fatal(err)
			}
			g.Ops().Complete(tok, ioqueue.Completion{})
		},
		"a cell is attached when it is complete": func(g *testScheduler, _ fiber.RegularID, tok fiber.Token) {
			g.Ops().Complete(tok, ioqueue.Completion{})
			if err := g.Ops().Attach(tok, new(ioqueue.Cell)); err != nil {
				t.Fatal(err)
			}
		},
		"its fiber ends and has not collected it": func(g *testScheduler, owner fiber.RegularID, tok fiber.Token) {
			g.Ops().Complete(tok, ioqueue.Completion{})
			g.mount(owner)
			g.KillCurrent()
		},
		"it is collected": func(g *testScheduler, _ fiber.RegularID, tok fiber.Token) {
			g.Ops().Complete(tok, ioqueue.Completion{})
			g.Ops().Completion(tok)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{MaxTokens: 1})
			owner := g.spawnRunning(Options{})
			tok := g.submit()
			g.YieldCurrent()
			id := g.spawnRunning(Options{})
			if _, err := g.Ops().Submit(); !errors.Is(err, ioqueue.ErrFull) {
				t.Fatalf("Submit: %v", err)
			}
			ticket := g.Arm(fiber.OnQueue(), g.Ops().Room().Source())
			if err := g.Ops().Room().Park(ticket, 0); err != nil {
				t.Fatal(err)
			}
			g.Block()
			end(g, owner, tok)
			g.is(id.ID(), fiber.Runnable)
			g.wakesWith(id, fiber.OK)
			if _, err := g.Ops().SubmitReserved(ticket); err != nil {
				t.Errorf("SubmitReserved: %v", err)
			}
		})
	}
}

// The slot of a source is given back when no fiber refers to it, with all that was known of it.
func TestTheTableOfSourcesDoesNotGrowWithTheirNumber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Name: "named"})
	for range 5 {
		g.Arm(fiber.OnQueue(), new(fakeSource), new(fakeSource), new(fakeSource))
		g.Disarm()
	}
	if n := len(g.reg.sources.entries); n != 3 {
		t.Errorf("%d slots for three sources at a time", n)
	}
	for i, e := range g.reg.sources.entries {
		if e.source != nil || e.anchor != nil || e.lock != nil {
			t.Errorf("slot %d is free and holds %v", i+1, e)
		}
	}
}

// A cell that is made for a join by ID is this scheduler's from then on.
func TestTheCellOfAFiberCannotBeWaitedOnInAnotherScheduler(t *testing.T) {
	g, away := newTestScheduler(t, Config{Number: 1}), newTestScheduler(t, Config{Number: 2})
	cell, err := g.Attachments().Cell(g.spawnReady(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	away.spawnRunning(Options{})
	away.refuses("SAME-SCHEDULER", op.Arm, func() { away.Arm(fiber.OnQueue(), cell.Source()) })
}

func TestAskingForThePanicIsOverWhenItIsAnswered(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	if _, panicked := g.Unwind().Unrecovered(); panicked {
		t.Error("nobody has panicked")
	}
	g.submit() // which would be inside otherwise
	if _, panicked := g.Unwind().Unrecovered(); panicked {
		t.Error("nobody has panicked")
	}
	g.YieldCurrent()
}

// A pinned call that can continue may wake a fiber that waits for its fiber, and a deadlock under it
// is none.
func TestAPinnedFiberIsNotCountedAsOneThatGoesOn(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Nests: true})
	g.call()
	g.pin(fiber.OnQueue())
	g.spawnBlocked(Options{}, fiber.OnQueue())
	if stuck := g.Inspect().Report().Stuck; len(stuck) == 0 {
		t.Errorf("no fiber is stuck:\n%s", g.Inspect().Dump())
	}
}

func TestATokenIsDeliveredToItsWaiterOnly(t *testing.T) {
	for name, harm := range map[string]func(h *header){
		"it is in another wait": func(h *header) { h.seq++ },
		"it does not wait":      func(h *header) { h.becomes(runnable) },
		"it waits for a timer":  func(h *header) { h.word = h.word&^kindMask | word(fiber.Timer)<<kindShift },
	} {
		g := newTestScheduler(t, Config{})
		id := g.spawnRunning(Options{})
		tok := g.submit()
		g.BlockForIO(tok)
		harm(g.slots.at(id.ID().Index()))
		e := violation(func() { g.Ops().Complete(tok, ioqueue.Completion{}) })
		if e == nil || e.Rule.String() != "I8" {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestARefusedSpawnNamesNoFiber(t *testing.T) {
	g := newTestScheduler(t, Config{MaxFibers: 1})
	taken := new(ioqueue.Cell)
	taken.SetOwner(7)
	if id, err := g.SpawnWith(0, Options{Cell: taken}); id != 0 || !errors.Is(err, ErrCellTaken) {
		t.Errorf("%v, %v", id, err)
	}
	g.spawnReady(Options{})
	if id, err := g.Spawn(0); id != 0 || !errors.Is(err, ErrTooManyFibers) {
		t.Errorf("%v, %v", id, err)
	}
}

func TestTheRecentHistoryTellsFibersAndNativeCallsApart(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.ReleaseTrampoline(g.call())
	if text := refusal(g.Calls().Unpin).Error(); !strings.Contains(text, "(t0 dead→running)") || !strings.Contains(text, "(f0 dead→runnable)") {
		t.Error(text)
	}
}

func TestDeadlinesThatAreOffDoNotPileUp(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	for n := range 100_000 {
		g.Arm(fiber.Until(fiber.Time(1_000_000 + n)))
		g.Disarm()
	}
	if n := g.timers.wheel.Len(); n > 1000 {
		t.Errorf("%d entries, and no deadline is on", n)
	}
}
