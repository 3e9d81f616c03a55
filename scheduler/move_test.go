package scheduler

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/opqueue"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/quota"
)

// two are schedulers between which fibers move.
func two(t *testing.T) (home, remote *testScheduler) {
	return newTestScheduler(t, Config{Number: 1}), newTestScheduler(t, Config{Number: 2})
}

// movesTo takes a fiber out of one scheduler into another.
func (g *testScheduler) movesTo(to *testScheduler, id fiber.RegularID) fiber.RegularID {
	g.t.Helper()
	m, err := g.Moves().MoveOut(id)
	if err != nil {
		g.t.Fatalf("MoveOut: %v\n%s", err, g.Inspect().Dump())
	}
	there, err := to.Moves().MoveIn(m)
	if err != nil {
		g.t.Fatalf("MoveIn: %v\n%s", err, to.Inspect().Dump())
	}
	return there
}

func TestAMovedFiberGoesOnWithAllItHas(t *testing.T) {
	home, remote := two(t)
	id, _ := home.SpawnWith(42, Options{Movable: true, Name: "worker"})
	home.mount(id)
	home.Unwind().Mask()
	home.Unwind().Panics().Defer(3, "deferred")
	home.SetResult("result", nil)
	home.Wake(home.blockIn(fiber.OnQueue()).ID)
	there := home.movesTo(remote, id)
	home.is(id.ID(), fiber.Dead)
	remote.is(there.ID(), fiber.Runnable)
	f, _ := remote.Fiber(there)
	if f.Data != 42 || remote.Inspect().Name(there.ID()) != "worker" {
		t.Fatalf("payload %d, name %q", f.Data, remote.Inspect().Name(there.ID()))
	}
	remote.wakesWith(there, fiber.OK)
	remote.Unwind().Unmask()
	if d, ok := remote.Unwind().Panics().Return(3); !ok || d.Call != "deferred" {
		t.Fatalf("its deferred call: %v, %v", d, ok)
	}
	remote.Unwind().Panics().EndDefer()
	if result, err := remote.KillCurrent(); result != "result" || err != nil {
		t.Fatalf("it ended with %v, %v", result, err)
	}
}

func TestNothingThatWasMeantForAMovedFiberReachesAnother(t *testing.T) {
	home, remote := two(t)
	ticket := home.spawnBlocked(Options{Movable: true}, fiber.OnQueue())
	id, _ := ticket.ID.Regular()
	home.delivers(ticket, fiber.Woken)
	there := home.movesTo(remote, id)
	reborn := home.spawnBlocked(Options{}, fiber.OnQueue())
	if reborn.ID.Index() != id.Index() {
		t.Fatalf("%v does not live in the slot of %v", reborn.ID, id)
	}
	home.delivers(ticket, fiber.Gone)
	remote.delivers(ticket, fiber.WrongSource)
	if err := home.Kill(id.ID(), nil); err != ErrGone {
		t.Fatalf("Kill by the old ID: %v", err)
	}
	home.is(reborn.ID, fiber.Blocked)
	remote.is(there.ID(), fiber.Runnable)
}

// Every fiber is counted where it is, where it was born and where it died (I12).
func TestFibersThatMoveAreConserved(t *testing.T) {
	home, remote := two(t)
	var ids []fiber.RegularID
	for range 5 {
		ids = append(ids, home.spawnReady(Options{Movable: true}))
	}
	there := home.movesTo(remote, ids[3])
	home.movesTo(remote, ids[0])
	remote.mount(there)
	remote.KillCurrent()
	if n, c := home.Inspect().Live(), home.Inspect().Counts(); n != 3 || c.Spawned != 5 || c.MovedOut != 2 || c.Ended != 0 {
		t.Fatalf("%d live at home: %+v", n, c)
	}
	if n, c := remote.Inspect().Live(), remote.Inspect().Counts(); n != 1 || c.MovedIn != 2 || c.Ended != 1 || c.Spawned != 0 {
		t.Fatalf("%d live remote: %+v", n, c)
	}
	if ready := slices.Collect(home.Inspect().Ready()); !slices.Equal(ready, []fiber.RegularID{ids[1], ids[2], ids[4]}) {
		t.Fatalf("ready at home: %v", ready)
	}
}

func TestOnlyAReadyFiberThatIsTiedToNothingMoves(t *testing.T) {
	movable := Options{Movable: true}
	for _, tc := range []struct {
		why  string
		make func(g *testScheduler) fiber.RegularID
	}{
		{"is running", func(g *testScheduler) fiber.RegularID { return g.spawnRunning(movable) }},
		{"is blocked", func(g *testScheduler) fiber.RegularID { return root(g.spawnBlocked(movable, fiber.OnQueue()).ID) }},
		{"was not spawned as Movable", func(g *testScheduler) fiber.RegularID { return g.spawnReady(Options{}) }},
		{"has native frames", func(g *testScheduler) fiber.RegularID { return g.spawnReady(Options{Movable: true, Frames: true}) }},
		{"has native frames", func(g *testScheduler) fiber.RegularID { return g.spawnReady(Options{Movable: true, Nests: true}) }},
		{"has native frames", func(g *testScheduler) fiber.RegularID { return g.yields(func() { g.call() }) }},
		{"is to unwind", func(g *testScheduler) fiber.RegularID { return g.ordered(g.Kill) }},
		{"is to unwind", func(g *testScheduler) fiber.RegularID { return g.ordered(g.Cancel) }},
		{"is to unwind", func(g *testScheduler) fiber.RegularID {
			return g.yields(func() { g.Unwind().BeginPanic(panicstate.Fatal, "out of memory", "") })
		}},
		{"is cancelled", func(g *testScheduler) fiber.RegularID {
			ticket := g.spawnBlocked(movable, fiber.OnQueue())
			g.Cancel(ticket.ID, nil)
			return root(ticket.ID)
		}},
		{"has not claimed", func(g *testScheduler) fiber.RegularID {
			b := new(fakeSource)
			ticket := g.spawnBlocked(movable, fiber.OnQueue(), b)
			g.delivers(b.match(), fiber.Woken)
			return root(ticket.ID)
		}},
		{"owns a lock", func(g *testScheduler) fiber.RegularID {
			return g.yields(func() { g.Attachments().Own(&ownerHook{told: new([]string)}) })
		}},
		{"is linked", func(g *testScheduler) fiber.RegularID { return g.yields(func() { g.Attachments().Link(&testLink{}) }) }},
		{"has operations under way", func(g *testScheduler) fiber.RegularID { return g.yields(func() { g.submit() }) }},
		{"has operations under way", func(g *testScheduler) fiber.RegularID { // one of two is over
			return g.yields(func() {
				tok := g.submit()
				g.submit()
				g.Ops().Complete(tok, ioqueue.Completion{})
				g.Ops().Completion(tok)
			})
		}},
		{"has operations under way", func(g *testScheduler) fiber.RegularID { // not taken
			return g.yields(func() { g.Ops().Complete(g.submit(), ioqueue.Completion{}) })
		}},
		{"has operations under way", func(g *testScheduler) fiber.RegularID { // a cell is to have it
			return g.yields(func() { _ = g.Ops().Attach(g.submit(), new(ioqueue.Cell)) })
		}},
		{"has a place kept", func(g *testScheduler) fiber.RegularID {
			g.io = opqueue.New(0, 1, nil)
			g.spawnRunning(Options{})
			tok := g.submit()
			g.YieldCurrent()
			id := g.spawnRunning(movable)
			g.queues()
			g.Ops().Complete(tok, ioqueue.Completion{})
			g.Ops().Completion(tok)
			g.mount(id)
			g.Claim()
			g.YieldCurrent()
			return id
		}},
		{"is counted in a Group", func(g *testScheduler) fiber.RegularID {
			return g.spawnReady(Options{Movable: true, Group: g.group(nil, "", quota.Limits{})})
		}},
		{"is the main fiber", func(g *testScheduler) fiber.RegularID {
			return g.spawnReady(Options{Movable: true, Main: true})
		}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := tc.make(g)
			before := g.Inspect().Dump()
			_, err := g.Moves().MoveOut(id)
			if !errors.Is(err, ErrImmovable) || !strings.Contains(err.Error(), tc.why) {
				t.Fatalf("MoveOut: %v", err)
			}
			if last := g.Moves().MoveOutLast(9, nil); len(last) > 0 || g.Inspect().Dump() != before {
				t.Fatalf("%d moved; the refusal changed\n%s\ninto\n%s", len(last), before, g.Inspect().Dump())
			}
		})
	}
}

func root(id fiber.ID) fiber.RegularID {
	r, _ := id.Regular()
	return r
}

// yields is a movable fiber that has done something and is ready again.
func (g *testScheduler) yields(did func()) fiber.RegularID {
	id := g.spawnRunning(Options{Movable: true})
	did()
	g.YieldCurrent()
	return id
}

// ordered is a movable fiber that is ready and that has been given an order.
func (g *testScheduler) ordered(order func(fiber.ID, error) error) fiber.RegularID {
	id := g.spawnReady(Options{Movable: true})
	_ = order(id.ID(), nil)
	return id
}

// Whatever way the last of its operations ends: it is free to go, and what the fiber does
// there is counted there.
func TestAFiberWhoseOperationsAreOverMoves(t *testing.T) {
	for name, ends := range map[string]func(g *testScheduler, id fiber.RegularID){
		"taken": func(g *testScheduler, _ fiber.RegularID) {
			tok := g.submit()
			g.Ops().Complete(tok, ioqueue.Completion{})
			g.Ops().Completion(tok)
			g.YieldCurrent()
		},
		"awaited and taken": func(g *testScheduler, id fiber.RegularID) {
			tok := g.submit()
			g.blockIn(fiber.OnIO(tok))
			g.Ops().Complete(tok, ioqueue.Completion{})
			g.wakesWith(id, fiber.OK)
			g.Ops().Completion(tok)
			g.YieldCurrent()
		},
		"settled in a cell": func(g *testScheduler, _ fiber.RegularID) {
			tok := g.submit()
			_ = g.Ops().Attach(tok, new(ioqueue.Cell))
			g.Ops().Complete(tok, ioqueue.Completion{})
			g.YieldCurrent()
		},
		"given up, and not acknowledged": func(g *testScheduler, id fiber.RegularID) {
			g.blockIn(fiber.OnIO(g.submit()).WithDeadline(10))
			g.at(20)
			g.wakesWith(id, fiber.TimedOut)
			g.YieldCurrent()
		},
	} {
		t.Run(name, func(t *testing.T) {
			home, remote := two(t)
			id := home.spawnRunning(Options{Movable: true})
			ends(home, id)
			there := home.movesTo(remote, id)
			remote.mount(there)
			tok := remote.submit()
			remote.KillCurrent()
			if remote.Ops().Outstanding(tok) {
				t.Fatal("its operation here was not given up when it ended")
			}
			home.Inspect().Verify()
		})
	}
}

func TestAFiberThatHasClaimedMovesWithoutItsSource(t *testing.T) {
	home, remote := two(t)
	b := new(fakeSource)
	id := root(home.spawnBlocked(Options{Movable: true}, fiber.OnQueue(), b).ID)
	home.delivers(b.match(), fiber.Woken)
	home.wakesWith(id, fiber.OK)
	home.YieldCurrent()
	home.movesTo(remote, id)
	if b.Slot() != 0 {
		t.Fatal("the object still has a slot for a fiber that is elsewhere")
	}
}

func TestAFiberThatIsRefusedCanMoveInToAThirdScheduler(t *testing.T) {
	home, full := newTestScheduler(t, Config{}), newTestScheduler(t, Config{MaxFibers: 1})
	full.spawnReady(Options{})
	m, _ := home.Moves().MoveOut(home.spawnReady(Options{Movable: true}))
	before := full.Inspect().Dump()
	if _, err := full.Moves().MoveIn(m); !errors.Is(err, ErrTooManyFibers) || full.Inspect().Dump() != before {
		t.Fatalf("a full scheduler: %v", err)
	}
	full.Steps().stop(nil)
	if _, err := full.Moves().MoveIn(m); !errors.Is(err, ErrStopped) {
		t.Fatalf("a scheduler that stops: %v", err)
	}
	if _, err := home.Moves().MoveIn(m); err != nil {
		t.Fatal(err)
	}
}

func TestTheLastMoveOutFirstAndTheOthersKeepTheirPlaces(t *testing.T) {
	g := newTestScheduler(t, Config{})
	stays := func(i int) bool { return i == 2 || i == 7 }
	for i := range 10 {
		_, _ = g.SpawnWith(i, Options{Movable: !stays(i)})
	}
	g.next() // a batch is under way
	moved := g.Moves().MoveOutLast(5, nil)
	if got := dataOf(moved); !slices.Equal(got, []int{9, 8, 6, 5, 4}) {
		t.Fatalf("moved out: %v", got)
	}
	g.YieldCurrent()
	var left []int
	for id := range g.Inspect().Ready() {
		f, _ := g.Fiber(id)
		left = append(left, f.Data)
	}
	if !slices.Equal(left, []int{1, 2, 3, 7, 0}) {
		t.Fatalf("left: %v", left)
	}
}

// What it looks at is bounded: a queue of immovable fibers costs the caller no more.
func TestOnlyTwiceAsManyAsMayMoveAreLookedAt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnReady(Options{Movable: true})
	for range 4 {
		g.spawnReady(Options{})
	}
	if moved := g.Moves().MoveOutLast(2, nil); len(moved) > 0 {
		t.Fatalf("%d moved", len(moved))
	}
	if moved := g.Moves().MoveOutLast(3, nil); len(moved) != 1 {
		t.Fatalf("%d moved", len(moved))
	}
}

func dataOf(moved []Moved[int]) (data []int) {
	for _, m := range moved {
		data = append(data, m.Data)
	}
	return data
}

func TestAMovedFiberIsNotInTheBatchThatWasLookedUp(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := g.spawnReady(Options{Movable: true}), g.spawnReady(Options{Movable: true})
	g.Poll()
	if _, err := g.Moves().MoveOut(first); err != nil {
		t.Fatal(err)
	}
	if id := g.next(); id != second {
		t.Fatalf("%v runs, not %v", id, second)
	}
	g.KillCurrent()
}

// A Handle cancels its fiber by its ID.
func TestAFiberWithAHandleStays(t *testing.T) {
	g := newTestScheduler(t, Config{})
	_, _ = g.Start(1, Options{Movable: true})
	g.Poll()
	if moved := g.Moves().MoveOutLast(1, nil); len(moved) > 0 {
		t.Fatal("it moved")
	}
	g.next()
	g.KillCurrent()
}

func TestEveryCorruptedCellOfAMoveIsFound(t *testing.T) {
	findAll(t, []damage{
		{"one fiber more is counted as moved out", "I12", func(s *auditFixture) { s.counts.MovedOut++ }},
		{"one fiber more is counted as moved in", "I12", func(s *auditFixture) { s.counts.MovedIn++ }},
		{"who has ended has operations under way", "I12", func(s *auditFixture) { _, _ = s.Core.io.Submit(fiber.NewRegularID(s.dead, 1)) }},
		{"a fiber leaves its operations behind", "I12", func(s *auditFixture) { _, _ = s.Core.io.Submit(fiber.NewRegularID(s.plain, 1)) }},
		{"a trampoline could move", "I4", func(s *auditFixture) { s.calls[0].set(movable) }},
		{"who lives here has moved out", "I12", func(s *auditFixture) {
			s.departed = map[fiber.ID]joiner{fiber.NewRegularID(s.ready, s.at(s.ready).gen).ID(): {}}
		}},
		{"who has moved out has ended", "I12", func(s *auditFixture) {
			cell := new(ioqueue.Cell)
			_, _ = cell.Complete(nil, nil, nil)
			s.departed = map[fiber.ID]joiner{fiber.NewRegularID(77, 1).ID(): {cell: cell}}
		}},
	})
}
