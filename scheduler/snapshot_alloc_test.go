//go:build !invariants

package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/quota"
)

func TestAnotherSnapshotOfManyFibersInTheSameMemoryAllocatesNothing(t *testing.T) {
	g := newTestScheduler(t, Config{})
	m := newRandomWaits(t, 1).ch.Source()
	for range 100_000 {
		g.spawnRunning(Options{})
		g.Arm(fiber.OnQueue(), m)
		g.Block()
	}
	var s Snapshot
	s = g.Inspect().Snapshot(s)
	if n := testing.AllocsPerRun(3, func() { s = g.Inspect().Snapshot(s) }); n != 0 || len(s.Fibers) != 100_000 {
		t.Fatalf("%v allocations for %d fibers", n, len(s.Fibers))
	}
}

func TestAnotherLookAtTimersOperationsAndGroupsInTheSameMemoryAllocatesNothing(t *testing.T) {
	g, _ := aTimerOfEachKind(t)
	part := g.Attachments().NewGroup(nil, "part", quota.Limits{})
	g.spawnRunning(Options{Group: part})
	for range 10 {
		g.Ops().Describe(g.submit(), "read", "a.txt")
	}
	var timers []TimerState
	var operations []OperationState
	var groups []GroupState
	look := func() {
		_, timers = g.Inspect().Timers(4, timers)
		operations = g.Inspect().Operations(operations)
		groups = g.Inspect().Groups(groups)
	}
	look()
	if n := testing.AllocsPerRun(100, look); n != 0 || len(timers) != 4 || len(operations) != 10 || len(groups) != 3 {
		t.Fatalf("%v allocations; %v %v %v", n, timers, operations, groups)
	}
}
