package scheduler

import (
	"slices"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
)

// aTimerOfEachKind is a scheduler with five deadlines, and how they come due.
func aTimerOfEachKind(t *testing.T) (*testScheduler, []TimerState) {
	g := newTestScheduler(t, Config{Grace: 300 * time.Nanosecond, Clock: NewVirtualClock()})
	limited := g.Attachments().NewGroup(nil, "limited", quota.Limits{Time: 400})
	g.spawnBlocked(Options{Group: limited}, fiber.OnQueue())
	slow := g.Attachments().NewGroup(nil, "slow", quota.Limits{})
	slow.SetRate(1e9)
	g.spawnRunning(Options{Group: slow})
	must(t, slow.Take(quota.Steps, 500))
	g.YieldCurrent()
	late := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(600))
	sleeper := g.spawnBlocked(Options{}, fiber.Until(100))
	bell := g.newAlarm(200)
	canceled := g.spawnReady(Options{})
	must(t, g.Cancel(canceled.ID(), nil))
	return g, []TimerState{
		{Deadline: 100, Kind: "wait", Fiber: sleeper.ID},
		{Deadline: 200, Kind: "alarm", source: bell},
		{Deadline: 300, Kind: "grace", Fiber: canceled.ID()},
		{Deadline: 400, Kind: "time limit", Group: limited},
		{Deadline: 500, Kind: "rate", Group: slow},
		{Deadline: 600, Kind: "wait", Fiber: late.ID},
	}
}

func TestTheNextTimersAreThoseThatComeDueNext(t *testing.T) {
	g, want := aTimerOfEachKind(t)
	before := g.Inspect().Dump()
	var got []TimerState
	for n := range len(want) + 2 {
		var on int
		on, got = g.Inspect().Timers(n, got)
		if on != len(want) || !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("%d timers, the next %d are %v; want %v", on, n, got, want)
		}
	}
	if got[1].Name() == "" || got[0].Name() != "" {
		t.Errorf("the alarm is called %q, a wait %q", got[1].Name(), got[0].Name())
	}
	if after := g.Inspect().Dump(); after != before {
		t.Fatalf("a look changed\n%s\nto\n%s", before, after)
	}
}

// The deadlines of the fibers in a Snapshot are the timers of the same moment.
func TestTheTimersOfWaitsAreTheDeadlinesOfTheSnapshot(t *testing.T) {
	var s Snapshot
	var timers []TimerState
	for seed := range uint64(100) {
		w := newRandomWaits(t, seed)
		for range 12 {
			if n := w.rng.IntN(len(w.ids)); w.model.fibers[n].runs() {
				w.act(n)
			}
			s = w.Inspect().Snapshot(s)
			_, timers = w.Inspect().Timers(1000, timers)
			var got, want []fiber.ID
			for _, f := range s.Fibers {
				if f.Deadline != fiber.Never {
					want = append(want, f.ID)
				}
			}
			for _, timer := range timers {
				got = append(got, timer.Fiber)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: the timers of %v, the deadlines of %v", seed, got, want)
			}
		}
	}
}
