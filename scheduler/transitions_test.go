package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// walk is one legal edge: the case that ends with it, and the edge.
type walk struct {
	name    string
	edge    edge
	prepare func(g *testScheduler) (moved fiber.ID)
}

var walks = []walk{
	{"a spawned fiber is ready", spawned, func(g *testScheduler) fiber.ID {
		return g.spawnReady(Options{}).ID()
	}},
	{"a yielder goes to the back", yielded, func(g *testScheduler) fiber.ID {
		id := g.spawnRunning(Options{})
		g.YieldCurrent()
		return id.ID()
	}},
	{"a wait parks its fiber", parked, func(g *testScheduler) fiber.ID {
		return g.spawnBlocked(Options{}, fiber.OnQueue(), new(fakeSource)).ID
	}},
	{"a result that was there already puts the fiber at the back", requeued, func(g *testScheduler) fiber.ID {
		id := rootLatchedID(g)
		g.Block()
		return id
	}},
	{"a caller parks on its callee", parked, func(g *testScheduler) fiber.ID {
		id := g.spawnRunning(Options{})
		g.call()
		g.blockIn(fiber.OnQueue())
		return id.ID()
	}},
	{"a delivery makes the fiber ready", woken, func(g *testScheduler) fiber.ID {
		t := g.spawnBlocked(Options{}, fiber.OnQueue())
		g.delivers(t, fiber.Woken)
		return t.ID
	}},
	{"a delivery to a callee makes it run, carried", carried, func(g *testScheduler) fiber.ID {
		g.spawnRunning(Options{})
		g.call()
		t := g.blockIn(fiber.OnQueue())
		g.delivers(t, fiber.Woken)
		return t.ID
	}},
	{"a parked fiber without frames dies where it stands", killed, func(g *testScheduler) fiber.ID {
		t := g.spawnBlocked(Options{}, fiber.OnQueue())
		g.Kill(t.ID, nil)
		return t.ID
	}},
	{"the running root exits", exited, func(g *testScheduler) fiber.ID {
		id := g.spawnRunning(Options{})
		g.Exit("done", nil)
		return id.ID()
	}},
	{"a doomed fiber dies when its turn comes", reaped, func(g *testScheduler) fiber.ID {
		id := g.spawnReady(Options{})
		g.Kill(id.ID(), nil)
		g.Poll()
		return id.ID()
	}},
	{"a native call runs at once", acquired, func(g *testScheduler) fiber.ID {
		g.spawnRunning(Options{})
		return g.call().ID()
	}},
	{"a native call that returned is over", released, func(g *testScheduler) fiber.ID {
		g.spawnRunning(Options{})
		id := g.call()
		g.ReleaseTrampoline(id)
		return id.ID()
	}},
}

func rootLatchedID(g *testScheduler) fiber.ID {
	id := g.spawnRunning(Options{})
	g.delivers(g.ArmForQueue(), fiber.Latched)
	return id.ID()
}

func TestEveryEdgeOfTheTableCanBeWalked(t *testing.T) {
	for _, w := range walks {
		t.Run(w.name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := w.prepare(g)
			want := Entry{w.edge, uint32(id.Raw())}.event()
			g.is(id, want.To)
			events := g.Inspect().Recent()
			for i := len(events) - 1; events[i] != want; i-- {
				if i == 0 {
					t.Fatalf("%v → %v of %v is not in the history %v", want.From, want.To, id, events)
				}
			}
		})
	}
}

// ScheduleNext leaves its mark only in the state: every mounting is followed by a
// recorded transition of the same fiber.
func TestScheduleNextRunsTheHeadAndOnlyTheHead(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := g.spawnReady(Options{}), g.spawnReady(Options{})
	if !g.Poll() {
		t.Fatal("Poll found nobody ready")
	}
	f := g.ScheduleNext()
	if want, _ := g.Fiber(first); f != want || g.Current() != first.ID() || g.Inspect().Executing() != first.ID() {
		t.Fatalf("%v runs, not %v", g.Current(), first)
	}
	g.is(first.ID(), fiber.Running)
	g.is(second.ID(), fiber.Runnable)
}

func TestReadyFibersRunInTheOrderTheyBecameReady(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var want []fiber.RegularID
	for range 100 {
		want = append(want, g.spawnReady(Options{}))
	}
	for round := range 3 {
		for _, id := range want {
			if got := g.next(); got != id {
				t.Fatalf("round %d: %v runs, %v was first", round, got, id)
			}
			g.YieldCurrent()
		}
	}
}

func TestAYielderIsQueuedBehindWhatItSpawnedAndWoke(t *testing.T) {
	g := newTestScheduler(t, Config{})
	sleeper := g.spawnBlocked(Options{}, fiber.OnQueue())
	yielder := g.spawnRunning(Options{})
	child := g.spawnReady(Options{})
	g.Wake(sleeper.ID)
	g.YieldCurrent()
	woken, _ := sleeper.ID.Regular()
	for _, want := range []fiber.RegularID{child, woken, yielder} {
		if got := g.next(); got != want {
			t.Fatalf("%v runs, not %v", got, want)
		}
		g.YieldCurrent()
	}
}

func TestAFiberSpawnedInFrontRunsNext(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 3 {
		g.spawnReady(Options{})
	}
	g.next()
	front := g.spawnReady(Options{Front: true})
	g.YieldCurrent()
	if got := g.next(); got != front {
		t.Fatalf("%v runs, not the fiber in front", got)
	}
}

func TestABatchEndsAfterSixteenFibersSoThatTheLoopPolls(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 20 {
		g.spawnReady(Options{})
	}
	g.Poll()
	ran := 0
	for g.ScheduleNext() != nil {
		ran++
		g.YieldCurrent()
	}
	if ran != batchSize {
		t.Fatalf("%d fibers ran without a poll", ran)
	}
}

func TestAChainIsCarriedByItsRootThroughAYield(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{})
	top := g.call()
	g.YieldCurrent()
	g.is(root.ID(), fiber.Runnable)
	g.is(top.ID(), fiber.Running)
	g.mount(root)
	if g.Inspect().Executing() != top.ID() || g.Current() != root.ID() {
		t.Fatalf("%v executes on %v", g.Inspect().Executing(), g.Current())
	}
}

func TestAChainParksAndComesBackInOneStep(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{})
	outer, inner := g.call(), g.call()
	ticket := g.blockIn(fiber.OnQueue())
	for _, id := range []fiber.ID{root.ID(), outer.ID(), inner.ID()} {
		g.is(id, fiber.Blocked)
	}
	if g.Current() != 0 || g.Inspect().Blocked() != 1 {
		t.Fatalf("%v is mounted, %d roots are blocked", g.Current(), g.Inspect().Blocked())
	}
	g.delivers(ticket, fiber.Woken)
	g.is(root.ID(), fiber.Runnable)
	g.is(outer.ID(), fiber.Running)
	g.is(inner.ID(), fiber.Running)
	g.mount(root)
	g.claims(fiber.OK)
	if g.Inspect().Executing() != inner.ID() {
		t.Fatalf("%v executes, not %v", g.Inspect().Executing(), inner)
	}
	g.ReleaseTrampoline(inner)
	g.ReleaseTrampoline(outer)
	g.KillCurrent()
	if g.Inspect().Live() != 0 || g.Inspect().LiveTrampolines() != 0 {
		t.Fatalf("%d fibers and %d calls are left", g.Inspect().Live(), g.Inspect().LiveTrampolines())
	}
}

func TestOutcomesEndASliceAsTheySay(t *testing.T) {
	for _, o := range []struct {
		outcome fiber.Outcome
		resume  bool
		after   fiber.State
	}{
		{fiber.Outcome{Kind: fiber.FrameChanged}, true, fiber.Running},
		{fiber.Replace(fiber.Point{PC: 1}), true, fiber.Running},
		{fiber.Outcome{Kind: fiber.TimesliceExpired}, false, fiber.Runnable},
		{fiber.BlockOn(fiber.OnQueue()), false, fiber.Blocked},
		{fiber.BlockOn(fiber.Until(9)), false, fiber.Blocked},
		{fiber.Outcome{Kind: fiber.Panic}, false, fiber.Dead},
		{fiber.Outcome{Kind: fiber.Done}, false, fiber.Dead},
	} {
		t.Run(o.outcome.Kind.String(), func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			id := g.spawnRunning(Options{})
			g.SetResult(nil, errWhy)
			if resume := g.Finish(o.outcome); resume != o.resume {
				t.Fatalf("resume: %v", resume)
			}
			g.is(id.ID(), o.after)
		})
	}
}
