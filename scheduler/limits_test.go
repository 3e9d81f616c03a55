package scheduler

import (
	"errors"
	"math"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// untouched has a call refused with an error and compares all there is.
func (g *testScheduler) untouched(want error, call func() error) {
	g.t.Helper()
	before := g.Inspect().Snapshot()
	if err := call(); !errors.Is(err, want) {
		g.t.Fatalf("%v, not %v", err, want)
	}
	if after := g.Inspect().Snapshot(); after != before {
		g.t.Fatalf("the refused call changed something:\n%s\nis now\n%s", before, after)
	}
}

// noCall is why a native call cannot begin; then there is none.
func (g *testScheduler) noCall() error {
	id, err := g.AcquireTrampoline()
	if id != 0 {
		g.t.Fatalf("%v has begun, with %v", id, err)
	}
	return err
}

func TestALimitOfFibersIsAnErrorThatChangesNothing(t *testing.T) {
	for _, limit := range []int{1, 16, 17, 300} {
		g := newTestScheduler(t, Config{MaxFibers: limit})
		for range limit {
			g.spawnReady(Options{})
		}
		g.untouched(ErrTooManyFibers, func() error { _, err := g.Spawn(1); return err })
		g.untouched(ErrTooManyFibers, func() error { _, err := g.SpawnWith(1, Options{Name: "n", Front: true}); return err })
		g.next()
		g.KillCurrent()
		g.spawnReady(Options{})
		g.untouched(ErrTooManyFibers, func() error { _, err := g.Spawn(1); return err })
	}
}

func TestALimitOfNativeCallsIsAnErrorThatChangesNothing(t *testing.T) {
	g := newTestScheduler(t, Config{MaxTrampolines: 2})
	g.spawnRunning(Options{})
	g.call()
	top := g.call()
	g.untouched(ErrTooManyTrampolines, g.noCall)
	g.ReleaseTrampoline(top)
	g.call()
}

func TestALimitOfOperationsIsAnErrorThatChangesNoFiber(t *testing.T) {
	g := newTestScheduler(t, Config{MaxTokens: 2})
	g.spawnRunning(Options{})
	first := g.submit()
	g.submit()
	if _, err := g.Ops().Submit(); !errors.Is(err, ioqueue.ErrFull) {
		t.Fatalf("%v", err)
	}
	g.Ops().Complete(first, ioqueue.Completion{})
	g.Ops().Completion(first)
	g.submit()
}

func TestAFiberThatCannotSubmitKeepsNoRecord(t *testing.T) {
	g := newTestScheduler(t, Config{MaxTokens: 1})
	g.spawnRunning(Options{})
	g.submit()
	g.YieldCurrent()
	g.spawnRunning(Options{})
	before := g.reg.exts.live()
	if _, err := g.Ops().Submit(); !errors.Is(err, ioqueue.ErrFull) || g.reg.exts.live() != before {
		t.Fatalf("%v, %d side records more", err, g.reg.exts.live()-before)
	}
}

func TestASlotIsRetiredAtItsLastGenerationNeverWrapped(t *testing.T) {
	g := newTestScheduler(t, Config{MaxFibers: 2})
	last := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.slots.at(0).gen = fiber.MaxGeneration
	last.ID = fiber.NewRegularID(0, fiber.MaxGeneration).ID()
	g.Kill(last.ID, nil)
	if g.Inspect().Counts().Retired != 1 {
		t.Fatalf("%+v", g.Inspect().Counts())
	}
	g.delivers(last, fiber.Gone)
	for range 5 {
		if id := g.spawnRunning(Options{}); id.Index() != 1 {
			t.Fatalf("%v lives in a retired slot", id)
		}
		g.KillCurrent()
	}
	g.spawnReady(Options{})
	g.untouched(ErrTooManyFibers, func() error { _, err := g.Spawn(1); return err })
	if _, err := g.Inspect().Lookup(last.ID.Raw()); err != ErrGone {
		t.Fatalf("Lookup of the retired slot: %v", err)
	}
}

func TestATrampolineIsRetiredAtItsLastGeneration(t *testing.T) {
	g := newTestScheduler(t, Config{MaxTrampolines: 1})
	g.spawnRunning(Options{})
	first := g.call()
	g.tramps.all[first.Index()].gen = fiber.MaxGeneration
	g.ReleaseTrampoline(fiber.NewTrampolineID(first.Index(), fiber.MaxGeneration))
	g.untouched(ErrTooManyTrampolines, g.noCall)
	if n := g.Inspect().Counts().Retired; n != 1 {
		t.Fatalf("%d slots are counted as retired", n)
	}
}

func TestASchedulerThatHasNumberedAllItsWaitsRefusesTheNext(t *testing.T) {
	g := newTestScheduler(t, Config{Number: 9})
	g.spawnRunning(Options{})
	g.seq = g.lastSeq - 1
	last := g.ArmForQueue()
	if last.Seq&fiber.MaxSeq != fiber.MaxSeq || last.Scheduler() != 9 {
		t.Fatalf("%v is not the last ticket", last)
	}
	g.Disarm()
	g.refuses("I5", op.Arm, func() { g.ArmForQueue() })
	g.refuses("I5", op.Arm, func() { g.BlockForQueue() })
	g.refuses("I5", op.Arm, func() { g.Arm(fiber.Until(1)) })
	g.YieldCurrent() // the rest goes on
	g.next()
	g.KillCurrent()
}

func TestAZeroConfigIsUsable(t *testing.T) {
	g := newTestScheduler(t, Config{MaxFibers: -1, MaxTrampolines: math.MaxInt, Budget: -5})
	if g.Inspect().Budget() != defaultBudget || g.cfg.MaxFibers != defaultMaxFibers || g.cfg.MaxTrampolines != fiber.MaxIndex {
		t.Fatalf("%+v", g.cfg)
	}
	if g.cfg.MaxTokens != 1<<20 || g.cfg.MaxNesting != 64 {
		t.Fatalf("%+v", g.cfg)
	}
	g.spawnRunning(Options{})
	g.call()
}

func TestTheReadyQueueGrowsWithTheSlotsAndKeepsItsOrder(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var want []fiber.RegularID
	for range 40 { // the queue is not at its beginning when it grows
		want = append(want, g.spawnReady(Options{}))
	}
	for range 25 {
		g.next()
		g.YieldCurrent()
	}
	want = append(want[25:], want[:25]...)
	for range 2000 {
		want = append(want, g.spawnReady(Options{}))
	}
	want = append([]fiber.RegularID{g.spawnReady(Options{Front: true})}, want...)
	for n, id := range want {
		if got := g.next(); got != id {
			t.Fatalf("%v runs as number %d, not %v", got, n, id)
		}
		g.KillCurrent()
	}
}

func TestSlotsAreReusedLatestFirstAndKeepTheirAddress(t *testing.T) {
	g := newTestScheduler(t, Config{})
	a, b := g.spawnRunning(Options{}), fiber.RegularID(0)
	slot, _ := g.Fiber(a)
	g.YieldCurrent()
	for range 5000 {
		b = g.spawnReady(Options{})
	}
	if again, _ := g.Fiber(a); again != slot {
		t.Fatal("a slot has moved")
	}
	g.mount(a)
	g.KillCurrent()
	if f, found := g.Fiber(a); found {
		t.Fatalf("a dead fiber has a slot: %v", f)
	}
	g.mount(b)
	g.KillCurrent()
	if c := g.spawnReady(Options{}); c.Index() != b.Index() || c == b {
		t.Fatalf("%v was spawned, %v died last", c, b)
	}
	if c := g.spawnReady(Options{}); c.Index() != a.Index() || c.ID().Generation() != 2 {
		t.Fatalf("%v was spawned, %v died before", c, a)
	}
}

func TestAPayloadIsTheSpawnersAndOnlyTheNewFibers(t *testing.T) {
	s := New[string](Config{})
	for _, text := range []string{"first", "", "third"} {
		id, err := s.Spawn(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Poll()
		if f := s.ScheduleNext(); f.Data != text {
			t.Fatalf("%q was spawned with %q", f.Data, text)
		}
		if f, found := s.Fiber(id); !found || f.Data != text {
			t.Fatalf("%v", found)
		}
		s.KillCurrent()
	}
}
