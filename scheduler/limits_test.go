package scheduler

import (
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// untouched has a call refused with an error and compares all there is.
func (g *testScheduler) untouched(want error, call func() error) {
	g.t.Helper()
	before := g.Inspect().Dump()
	if err := call(); !errors.Is(err, want) {
		g.t.Fatalf("%v, not %v", err, want)
	}
	if after := g.Inspect().Dump(); after != before {
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

// hasTimerRoom compares TimerRoom.
func (g *testScheduler) hasTimerRoom(want bool) {
	g.t.Helper()
	if err := g.Attachments().TimerRoom(); (err == nil) != want || err != nil && !errors.Is(err, ErrTooManyTimers) {
		g.t.Fatalf("with %d timers TimerRoom is %v", g.timers.live, err)
	}
}

func TestAtMostAsManyTimersAreOnAsAreAllowed(t *testing.T) {
	for _, limit := range []int{1, 2, 300} {
		g := newTestScheduler(t, Config{MaxTimers: limit})
		for range limit - 1 {
			g.hasTimerRoom(true)
			g.spawnBlocked(Options{}, fiber.Until(10))
		}
		g.hasTimerRoom(true)
		g.newAlarm(20)
		g.hasTimerRoom(false)

		last := g.spawnRunning(Options{})
		for _, r := range []fiber.Reason{fiber.Until(30), fiber.OnQueue().WithDeadline(30)} {
			g.refuses("CALL-ORDER", op.Arm, func() { g.Arm(r) })
		}
		g.refuses("CALL-ORDER", op.Note, func() { g.newAlarm(30) })
		if g.Inspect().Armed() || g.timers.live != limit {
			t.Fatalf("a refused wait is armed, or counted: %d timers", g.timers.live)
		}
		g.blockIn(fiber.OnQueue()) // without a deadline it waits as ever
		g.is(last.ID(), fiber.Blocked)
		g.at(10)
		g.hasTimerRoom(limit > 1)
		g.at(20)
		g.hasTimerRoom(true)
	}
}

// What is set already keeps its place, and what only unwinds is given one.
func TestAtTheLimitOfTimersAlarmsMoveAndGraceBegins(t *testing.T) {
	g := newTestScheduler(t, Config{MaxTimers: 1, Grace: 5})
	b := g.newAlarm(10)
	b.at = 20
	g.Attachments().SetAlarm(b)
	b.next = []fiber.Time{30}
	g.at(20)
	g.hasTimerRoom(false)
	b.at = fiber.Never
	g.Attachments().SetAlarm(b)
	g.hasTimerRoom(true)

	g.newAlarm(40)
	id := g.spawnRunning(Options{})
	g.YieldCurrent()
	if err := g.Cancel(id.ID(), nil); err != nil || g.timers.live != 2 {
		t.Fatalf("%v, %d timers: a grace period is never refused", err, g.timers.live)
	}
	g.hasTimerRoom(false)
}

func TestAtMostAsManyCommandsWaitAsAreAllowed(t *testing.T) {
	for _, limit := range []int{1, 2, 300} {
		g := newTestScheduler(t, Config{MaxCommands: limit})
		done := 0
		for range 3 {
			for range limit {
				if err := g.Inbox().Do(func() { done++ }); err != nil {
					t.Fatal(err)
				}
			}
			id := g.spawnReady(Options{})
			for _, err := range []error{
				g.Inbox().Do(func() { t.Error("a refused command is carried out") }),
				g.Inbox().Kill(id.ID(), nil), g.Inbox().Cancel(id.ID(), nil),
			} {
				if !errors.Is(err, ErrInboxFull) {
					t.Fatalf("%v, not %v", err, ErrInboxFull)
				}
			}
			if _, err := g.Start(1, Options{}); !errors.Is(err, ErrInboxFull) {
				t.Fatalf("%v, not %v", err, ErrInboxFull)
			}
			g.Poll()
			g.is(id.ID(), fiber.Runnable)
		}
		if done != 3*limit {
			t.Fatalf("%d commands of %d were carried out", done, 3*limit)
		}
	}
}

// A sender that is refused posts again, and the owner never waits for it.
func TestAFullInboxLosesNothingThatIsPostedAgain(t *testing.T) {
	const senders, each = 2, 100
	g := newTestScheduler(t, Config{MaxCommands: 3})
	var all sync.WaitGroup
	done := 0
	for range senders {
		all.Go(func() {
			for sent := 0; sent < each; {
				if g.Inbox().Do(func() { done++ }) == nil {
					sent++
				}
			}
		})
	}
	for done < senders*each {
		g.Poll()
	}
	all.Wait()
}

// The ready queue holds every living fiber once at most, so its limit is theirs.
func TestTheReadyQueueIsNoLongerThanThereMayBeFibers(t *testing.T) {
	const limit = 70
	g := newTestScheduler(t, Config{MaxFibers: limit})
	for range limit {
		g.spawnReady(Options{})
	}
	g.untouched(ErrTooManyFibers, func() error { _, err := g.Spawn(1); return err })
	for range 3 * limit {
		g.next()
		g.YieldCurrent()
		if n := len(slices.Collect(g.Inspect().Ready())); n != limit {
			t.Fatalf("%d fibers are ready, %d live", n, limit)
		}
	}
}
