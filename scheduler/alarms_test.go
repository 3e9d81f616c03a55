package scheduler

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

func TestAnAlarmFiresOnceAndNotBeforeItsDeadline(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := g.newAlarm(100)
	g.spawnReady(Options{})
	for _, now := range []fiber.Time{99, 103, 1000} {
		g.at(now)
	}
	if !slices.Equal(b.rung, []fiber.Time{103}) || b.Slot() != 0 || g.timers.live != 0 {
		t.Fatalf("told at %v; %d entries are left", b.rung, g.timers.live)
	}
}

func TestAnAlarmWakesFibersInTheOrderItReturns(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := g.newAlarm(10)
	var want []fiber.ID
	for range 5 {
		g.spawnRunning(Options{})
		want = append(want, g.listen(fiber.OnQueue(), b).ID)
	}
	g.at(10)
	if got := g.wakeOrder(); !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v", got)
	}
}

func TestEqualDeadlinesOfAlarmsAndWaitsComeDueInTheOrderOfTheirRegistration(t *testing.T) {
	g := newTestScheduler(t, Config{})
	early, reset := g.newAlarm(50), g.newAlarm(50)
	sleeper := g.spawnBlocked(Options{}, fiber.Until(50))
	late := g.newAlarm(50)
	dated := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(50))
	g.Attachments().SetAlarm(reset) // again, and so behind the others
	want := []fiber.ID{0, sleeper.ID, 0, dated.ID, 0}
	for place, b := range map[int]*testAlarm{0: early, 2: late, 4: reset} {
		g.spawnRunning(Options{})
		want[place] = g.listen(fiber.OnQueue(), b).ID
	}
	g.at(50)
	if got := g.wakeOrder(); !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v, not %v", got, want)
	}
}

func TestAReplacedAlarmSettingNeverFires(t *testing.T) {
	for name, now := range map[string]fiber.Time{"earlier": 5, "later": 20, "never": fiber.Never, "the same": 10} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			b := g.newAlarm(10)
			g.spawnReady(Options{})
			b.at = now
			g.Attachments().SetAlarm(b)
			var want []fiber.Time
			for _, tick := range []fiber.Time{5, 10, 20, 30} {
				g.at(tick)
				if tick == now {
					want = append(want, tick)
				}
			}
			if !slices.Equal(b.rung, want) {
				t.Fatalf("told at %v, not at %v", b.rung, want)
			}
		})
	}
}

// The entry of an alarm names its source slot, which may be another source's, or another
// alarm's, by the time the entry comes due.
func TestAStaleSettingNeverTellsTheSlotsNextAlarm(t *testing.T) {
	g := newTestScheduler(t, Config{})
	old := g.newAlarm(10)
	slot := old.Slot()
	old.at = fiber.Never
	g.Attachments().SetAlarm(old)
	plain := new(fakeSource)
	sleeper := g.spawnBlocked(Options{}, fiber.OnQueue(), plain)
	g.Kill(sleeper.ID, nil)
	successor := g.newAlarm(20)
	if successor.Slot() != slot {
		t.Fatalf("the successor has slot %d, not %d", successor.Slot(), slot)
	}
	g.spawnReady(Options{})
	g.at(10)
	if len(old.rung)+len(successor.rung) > 0 {
		t.Fatalf("told: %v %v", old.rung, successor.rung)
	}
	g.at(20)
	if len(successor.rung) != 1 {
		t.Fatalf("told: %v", successor.rung)
	}
}

func TestAnAlarmThatGivesAnotherDeadlineIsSetToIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := &testAlarm{at: 10, next: []fiber.Time{20, 30, 5}}
	g.Attachments().SetAlarm(b)
	g.spawnReady(Options{})
	for _, now := range []fiber.Time{10, 19, 20, 31, 40} {
		g.at(now)
	}
	if want := []fiber.Time{10, 20, 31, 31}; !slices.Equal(b.rung, want) { // 5 had passed already
		t.Fatalf("told at %v, not at %v", b.rung, want)
	}
}

func TestAnAlarmWithoutWaitersKeepsNoRunAlive(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.newAlarm(10)
	g.idles(Done)
	waiter := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.idles(Deadlock)
	g.Wake(waiter.ID)
	g.next()
	g.blockIn(fiber.Until(30))
	if v := g.idles(Waiting); v.Until > 30 {
		t.Fatalf("waits until %v", v.Until)
	}
}

func TestAFiberThatWaitsOnASetAlarmIsWaitingUntilItsDeadline(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var idle []*testAlarm // others around it, without waiters
	for range 9 {
		idle = append(idle, g.newAlarm(900))
	}
	b := g.newAlarm(40)
	g.spawnRunning(Options{})
	ticket := g.listen(fiber.OnQueue(), b, idle[4])
	if v := g.idles(Waiting); v.Until != 40 {
		t.Fatalf("waits until %v", v.Until)
	}
	b.at = fiber.Never
	g.Attachments().SetAlarm(b)
	if v := g.idles(Waiting); v.Until != 900 {
		t.Fatalf("waits until %v", v.Until)
	}
	idle[4].at = fiber.Never
	g.Attachments().SetAlarm(idle[4])
	report := g.idles(Deadlock).Report
	if len(report.Fibers) != 1 || !slices.Equal(report.Fibers[0].On, []string{"alarm", "alarm"}) {
		t.Fatalf("reported: %v", report)
	}
	b.at = 50
	g.Attachments().SetAlarm(b)
	g.idles(Waiting)
	g.at(50)
	g.is(ticket.ID, fiber.Runnable)
}

func TestAnAlarmOfAnotherSchedulerIsRefused(t *testing.T) {
	g, other := newTestScheduler(t, Config{Number: 1}), newTestScheduler(t, Config{Number: 2})
	namesake := newTestScheduler(t, Config{Number: 1})
	b := g.newAlarm(10)
	other.refuses("SAME-SCHEDULER", op.Note, func() { other.Attachments().SetAlarm(b) })
	namesake.refuses("SAME-SCHEDULER", op.Note, func() { namesake.Attachments().SetAlarm(b) })
}

func TestTheVerdictNamesNoDeadlineThatWasWithdrawn(t *testing.T) {
	g := newTestScheduler(t, Config{})
	const kept = fiber.Time(1 << 40)
	g.spawnBlocked(Options{}, fiber.Until(kept))
	var early []fiber.Ticket
	for n := range fiber.Time(40) {
		early = append(early, g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline((n+1)<<30)))
	}
	for _, ticket := range early {
		if v := g.idles(Waiting); v.Until == kept {
			t.Fatal("a deadline that is on was not named")
		}
		g.delivers(ticket, fiber.Woken)
		g.next()
		g.Arm(fiber.OnQueue().WithDeadline(100))
		g.Disarm()
		g.blockIn(fiber.OnQueue())
	}
	if v := g.idles(Waiting); v.Until != kept {
		t.Fatalf("waits until %v, when nothing is due any more", v.Until)
	}
}
