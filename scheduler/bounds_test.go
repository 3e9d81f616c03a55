package scheduler

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

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

// Whoever is refused tries again, and the owner is never held up.
func TestAFullInboxLosesNothingOfThoseWhoTryAgain(t *testing.T) {
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
