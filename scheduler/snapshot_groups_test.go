package scheduler

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
)

func TestEachGroupWithFibersIsThereWithWhatItHasUsed(t *testing.T) {
	g := newTestScheduler(t, Config{})
	guest := g.Attachments().NewGroup(nil, "guest", quota.Limits{Steps: 100, Time: 1000})
	part := g.Attachments().NewGroup(guest, "part", quota.Limits{Memory: 10})
	g.Attachments().NewGroup(guest, "empty", quota.Limits{})
	slow := g.Attachments().NewGroup(nil, "slow", quota.Limits{})
	g.spawnReady(Options{Group: guest})
	g.spawnReady(Options{Group: slow})
	g.spawnRunning(Options{Group: part})
	must(t, part.Take(quota.Steps, 7))
	must(t, part.Take(quota.Memory, 3))
	g.blockIn(fiber.Until(500))
	g.at(400)
	guest.Pause()
	slow.SetRate(10)
	slow.SetWeight(2)

	steps, memory := quota.Spent{Steps: 7, Memory: 3, Fibers: 2, Timers: 1, Time: 400}, quota.Spent{Steps: 7, Memory: 3, Fibers: 1, Timers: 1, Time: 400}
	want := []GroupState{
		{Group: guest, Name: "guest", Fibers: 2, Limits: quota.Limits{Steps: 100, Time: 1000}, Spent: steps, Stopped: "paused"},
		{Group: slow, Name: "slow", Fibers: 1, Spent: quota.Spent{Fibers: 1, Time: 400}, Rate: 10, Weight: 2},
		{Group: part, Parent: guest, Name: "part", Fibers: 1, Limits: quota.Limits{Memory: 10}, Spent: memory},
	}
	before := g.Inspect().Dump()
	got := g.Inspect().Groups(nil)
	if !slices.Equal(got, want) {
		t.Fatalf("%+v\nnot\n%+v", got, want)
	}
	if after := g.Inspect().Dump(); after != before {
		t.Fatalf("a look changed\n%s\nto\n%s", before, after)
	}
	guest.Resume()
}

func TestAGroupIsStoppedByItsRate(t *testing.T) {
	g := newTestScheduler(t, Config{})
	slow := g.Attachments().NewGroup(nil, "slow", quota.Limits{})
	slow.SetRate(10)
	g.spawnRunning(Options{Group: slow})
	must(t, slow.Take(quota.Steps, 5))
	if s := g.Inspect().Groups(nil)[0]; s.Stopped != "rate" {
		t.Fatalf("it is %+v", s)
	}
}

func TestASchedulerWithoutGroupsHasNone(t *testing.T) {
	if all := newTestScheduler(t, Config{}).Inspect().Groups(nil); len(all) > 0 {
		t.Fatal(all)
	}
}
