package scheduler

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestReadyShowsTheReadyQueueAndChangesNothing(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := g.spawnReady(Options{}), g.spawnReady(Options{})
	front := g.spawnReady(Options{Front: true})
	before := g.Inspect().Dump()
	if got, want := slices.Collect(g.Inspect().Ready()), []fiber.RegularID{front, first, second}; !slices.Equal(got, want) {
		t.Fatalf("%v are ready, not %v", got, want)
	}
	for enough := 1; enough <= 3; enough++ {
		n := 0
		for range g.Inspect().Ready() {
			if n++; n == enough {
				break // the loop may stop early
			}
		}
	}
	if after := g.Inspect().Dump(); after != before {
		t.Fatalf("looking changed\n%s\nto\n%s", before, after)
	}
	g.mount(front)
	if got := slices.Collect(g.Inspect().Ready()); !slices.Equal(got, []fiber.RegularID{first, second}) {
		t.Fatalf("%v are ready behind the running fiber", got)
	}
}

func TestChainOfShowsTheNativeCallsOfAFiberTheInnermostFirst(t *testing.T) {
	g := newTestScheduler(t, Config{})
	root := g.spawnRunning(Options{})
	shows := func(when string, want ...fiber.TrampolineID) {
		t.Helper()
		if got := slices.Collect(g.Inspect().ChainOf(root)); !slices.Equal(got, want) {
			t.Fatalf("%s: the chain is %v, not %v", when, got, want)
		}
	}
	shows("before any call")
	outer, inner := g.call(), g.call()
	shows("while it runs", inner, outer)
	for range g.Inspect().ChainOf(root) {
		break
	}
	ticket := g.blockIn(fiber.OnQueue())
	shows("while it is parked", inner, outer)
	g.delivers(ticket, fiber.Woken)
	shows("while it is carried", inner, outer)
	g.mount(root)
	g.ReleaseTrampoline(inner)
	shows("after the inner call", outer)
	g.ReleaseTrampoline(outer)
	g.KillCurrent()
	shows("after its death")
}
