package scheduler

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

func TestAComplaintBeforeAnythingHasHappenedSaysSo(t *testing.T) {
	g := newTestScheduler(t, Config{})
	if e := g.refuses("I3", op.Wake, func() { g.Wake(0) }); !strings.Contains(e.Error(), "recent: nothing yet") {
		t.Errorf("the history is missing: %v", e)
	}
	g.spawnReady(Options{})
	if e := g.refuses("I3", op.Wake, func() { g.Wake(0) }); strings.Contains(e.Error(), "nothing yet") {
		t.Errorf("something has happened: %v", e)
	}
}

func TestASecondYieldOfOneSliceIsRefused(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.YieldCurrent()
	g.refuses("I2", op.Yield, g.YieldCurrent)
}

func TestATrampolineCannotWaitForIO(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	token := g.submit()
	g.call()
	g.refuses("I8", op.Arm, func() { g.Arm(fiber.OnIO(token)) })
	g.refuses("I8", op.Arm, func() { g.BlockForIO(token) })
}

func TestATokenIsAwaitedOnceByTheFiberThatSubmittedIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	owner := g.spawnRunning(Options{})
	mine := g.submit()
	g.refuses("I8", op.Arm, func() { g.Arm(fiber.OnIO(mine + 1)) })
	g.refuses("I8", op.Arm, func() { g.Arm(fiber.OnIO(0)) })
	g.YieldCurrent()
	g.spawnRunning(Options{})
	own := g.submit()
	for _, token := range []fiber.Token{mine, own + 1, 0} {
		g.refuses("I8", op.Arm, func() { g.Arm(fiber.OnIO(token)) })
		g.refuses("I8", op.Arm, func() { g.BlockForIO(token) })
	}
	g.YieldCurrent()
	g.mount(owner)
	g.BlockForIO(mine)
	g.is(owner.ID(), fiber.Blocked)
}

func TestOnlyTheTopOfTheCurrentChainIsReleased(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	foreign := g.call()
	g.YieldCurrent()
	g.spawnRunning(Options{})
	below, top := g.call(), g.call()
	for _, id := range []fiber.TrampolineID{below, foreign, 0, fiber.NewTrampolineID(top.Index(), 9)} {
		g.refuses("I4", op.Release, func() { g.ReleaseTrampoline(id) })
	}
	g.ReleaseTrampoline(top)
	g.refuses("I4", op.Release, func() { g.ReleaseTrampoline(top) })
	g.ReleaseTrampoline(below)
	root, _ := g.Current().Trampoline() // it is none, which this caller did not ask
	g.refuses("I4", op.Release, func() { g.ReleaseTrampoline(root) })
}

func TestAReasonThatIsNoWaitCannotBeArmed(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	for name, arm := range map[string]func(){
		"no reason":               func() { g.Arm(fiber.Reason{}) },
		"unknown kind":            func() { g.Arm(fiber.Reason{Kind: fiber.Timer + 1}) },
		"a timer that never ends": func() { g.Arm(fiber.Until(fiber.Never)) },
		"a timer with sources":    func() { g.Arm(fiber.Until(5), new(fakeSource)) },
	} {
		t.Log(name)
		g.refuses("VALID-ARGUMENT", op.Arm, arm)
	}
}

func TestNilIsRefusedAsASourceAHookAndALink(t *testing.T) {
	g := newTestScheduler(t, Config{})
	owner := g.spawnRunning(Options{})
	for kind, prepare := range map[string]func(){
		"a fresh fiber": func() {},
		"one that keeps what it waited on": func() {
			g.Arm(fiber.OnQueue(), new(fakeSource))
			g.Disarm()
		},
		"one with a record": func() { g.Attachments().Own(&ownerHook{told: new([]string)}) },
	} {
		prepare()
		for name, nilled := range map[string]struct {
			op   Op
			call func()
		}{
			"Arm":      {op.Arm, func() { g.Arm(fiber.OnQueue(), fiber.Source(nil)) }},
			"Arm of 2": {op.Arm, func() { g.Arm(fiber.OnQueue(), new(fakeSource), nil) }},
			"ArmOn":    {op.Arm, func() { g.ArmOn(nil) }},
			"BlockOn":  {op.Arm, func() { g.BlockOn(nil) }},
			"SetAlarm": {op.Note, func() { g.Core.Attachments().SetAlarm(nil) }},
			"Own":      {op.Own, func() { g.Attachments().Own(nil) }},
			"Link":     {op.Own, func() { g.Attachments().Link(nil) }},
		} {
			t.Log(kind, name)
			if e := g.refuses("VALID-ARGUMENT", nilled.op, nilled.call); !strings.Contains(e.Error(), "nil") {
				t.Fatalf("the error does not say what is nil: %v", e)
			}
		}
	}
	g.KillCurrent()
	if g.Inspect().Live() > 0 {
		t.Fatalf("%v has not ended", owner)
	}
}

func TestASourceOfAnotherSchedulerCannotBeWaitedOn(t *testing.T) {
	home, away := newTestScheduler(t, Config{Number: 1}), newTestScheduler(t, Config{Number: 2})
	b := &fakeSource{name: "channel 7"}
	home.spawnBlocked(Options{}, fiber.OnQueue(), b)
	away.spawnRunning(Options{})
	e := away.refuses("SAME-SCHEDULER", op.Arm, func() { away.Arm(fiber.OnQueue(), b) })
	if !strings.Contains(e.Error(), "channel 7") {
		t.Fatalf("the error does not name the source: %v", e)
	}
	away.refuses("SAME-SCHEDULER", op.Arm, func() { away.Arm(fiber.OnQueue(), new(fakeSource), b) })
	home.Inspect().Verify()
}

// Zero is the number of every scheduler that was given none.
func TestSchedulersOfTheSameNumberDoNotMixUpTheirSources(t *testing.T) {
	home, away := newTestScheduler(t, Config{}), newTestScheduler(t, Config{})
	b := &fakeSource{name: "channel 7"}
	home.spawnBlocked(Options{}, fiber.OnQueue(), b)
	away.spawnRunning(Options{})
	away.refuses("SAME-SCHEDULER", op.Arm, func() { away.Arm(fiber.OnQueue(), b) })
	away.Arm(fiber.OnQueue(), new(fakeSource))
	away.Disarm()
	away.refuses("SAME-SCHEDULER", op.Arm, func() { away.Arm(fiber.OnQueue(), b) })
	home.Inspect().Verify()
}

func TestADeliveryCarriesOneOfThreeCodes(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	for _, code := range []fiber.Code{fiber.Pending, fiber.TimedOut, fiber.Cancelled, fiber.Killed, 200} {
		g.refuses("VALID-ARGUMENT", op.Deliver, func() { g.Deliver(ticket, fiber.Result{Code: code}) })
	}
	for _, code := range []fiber.Code{fiber.OK, fiber.Closed, fiber.Failed} {
		ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
		if d := g.Deliver(ticket, fiber.Result{Code: code, Value: 3}); d != fiber.Woken {
			t.Fatalf("%v: %v", code, d)
		}
		id, _ := ticket.ID.Regular()
		g.mount(id)
		if got, r := g.Claim(); got != ticket || r != (fiber.Result{Code: code, Value: 3}) {
			t.Fatalf("claimed %v of %v", r, got)
		}
		g.KillCurrent()
	}
}

func TestAnOutcomeThatIsNoneIsRefused(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.refuses("VALID-ARGUMENT", op.Finish, func() { g.Finish(fiber.Outcome{}) })
	g.refuses("VALID-ARGUMENT", op.Finish, func() { g.Finish(fiber.Outcome{Kind: fiber.OSR + 1}) })
	g.refuses("VALID-ARGUMENT", op.Arm, func() { g.Finish(fiber.BlockOn(fiber.Reason{})) })
}

// What was delivered between the Arm and the end of the slice is not waited for again.
func TestASliceThatEndsInALatchedWaitLosesNothing(t *testing.T) {
	for name, call := range map[string]func(g *testScheduler){"a root": func(*testScheduler) {}, "a native call": func(g *testScheduler) { g.call() }} {
		g := newTestScheduler(t, Config{})
		id := g.spawnRunning(Options{})
		call(g)
		g.Deliver(g.Arm(fiber.OnQueue()), ok)
		if !g.Finish(fiber.BlockOn(fiber.OnQueue())) {
			g.mount(id)
		}
		if _, r := g.Claim(); r.Code != fiber.OK {
			t.Errorf("%s: %v", name, r)
		}
	}
}

func TestUnmaskUndoesAMaskAndNothingElse(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	g.Unwind().Mask()
	g.Unwind().Unmask()
	g.refuses("CALL-ORDER", op.Unmask, g.Unwind().Unmask)
}

func TestARefusalNamesTheMistakeTheFixAndTheHistory(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	g.YieldCurrent()
	g.mount(id)
	g.ArmForQueue()
	e := g.refuses("I13", op.Yield, g.YieldCurrent)
	if e.Fiber() != id.ID() || e.State() != fiber.Running || e.Fix == "" {
		t.Fatalf("fiber %v, %v, fix %q", e.Fiber(), e.State(), e.Fix)
	}
	events := e.Recent()
	want := []Event{
		{Op: op.Spawn, Fiber: id.ID().Raw(), From: fiber.Dead, To: fiber.Runnable},
		{Op: op.Yield, Fiber: id.ID().Raw(), From: fiber.Running, To: fiber.Runnable},
	}
	if len(events) != 2 || events[0] != want[0] || events[1] != want[1] {
		t.Fatalf("history %v", events)
	}
	for _, part := range []string{"YieldCurrent", "I13", e.Fix, "f0.1", "running", "Spawn(f0 dead→runnable)"} {
		if !strings.Contains(e.Error(), part) {
			t.Fatalf("%q is missing in: %v", part, e)
		}
	}
}

// The errors of hot transitions are made in advance; each refusal must still tell of
// its own moment.
func TestASecondRefusalIsNotTheReportOfTheFirst(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first := refusal(g.YieldCurrent)
	if first.Fiber() != 0 || len(first.Recent()) != 0 {
		t.Fatalf("nobody ran, yet: %v", first)
	}
	id := g.spawnRunning(Options{})
	g.YieldCurrent()
	second := refusal(g.YieldCurrent)
	if len(second.Recent()) != 2 {
		t.Fatalf("the second report looks back on %v", second.Recent())
	}
	g.mount(id)
	third := refusal(func() { g.ScheduleNext() })
	if third.Fiber() != id.ID() {
		t.Fatalf("%v runs, the report says %v", id, third.Fiber())
	}
	g.YieldCurrent()
	other := g.spawnReady(Options{})
	g.mount(other)
	if fourth := refusal(func() { g.ScheduleNext() }); fourth.Fiber() != other.ID() {
		t.Fatalf("%v runs, the report says %v", other, fourth.Fiber())
	}
	if first.Fiber() != 0 || third.Fiber() != id.ID() {
		t.Fatal("an earlier report changed")
	}
}

func TestAHistoryLooksBackOnTheLastSixtyFourTransitions(t *testing.T) {
	g := newTestScheduler(t, Config{})
	for range 100 {
		g.spawnReady(Options{})
	}
	e := refusal(g.YieldCurrent)
	events := e.Recent()
	if len(events) != reportedLen || events[0].Fiber != 36 || events[63].Fiber != 99 {
		t.Fatalf("%d events, from %v to %v", len(events), events[0], events[len(events)-1])
	}
}
