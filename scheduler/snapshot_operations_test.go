package scheduler

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

func TestEachOperationIsInTheStateInWhichItIs(t *testing.T) {
	g := newTestScheduler(t, Config{})
	waiting := g.spawnRunning(Options{})
	awaited := g.submit()
	g.Ops().Describe(awaited, "read", "a.txt")
	g.blockIn(fiber.OnIO(awaited))
	gone := g.spawnRunning(Options{})
	abandoned := g.submit()
	g.Ops().Describe(abandoned, "dial", "")
	g.Exit(nil, nil)
	busy := g.spawnRunning(Options{})
	submitted, complete, collected := g.submit(), g.submit(), g.submit()
	for _, tok := range []fiber.Token{complete, collected} {
		g.Ops().Complete(tok, ioqueue.Completion{})
	}
	g.Ops().Completion(collected)
	g.Ops().Describe(collected, "not", "kept")

	want := []OperationState{
		{Token: awaited, Owner: waiting, State: "awaited", What: "read", Of: "a.txt"},
		{Token: abandoned, State: "abandoned", What: "dial"},
		{Token: submitted, Owner: busy, State: "submitted"},
		{Token: complete, Owner: busy, State: "complete"},
	}
	before := g.Inspect().Dump()
	got := g.Inspect().Operations(nil)
	if !slices.Equal(got, want) {
		t.Fatalf("%+v, not %+v; %v has ended", got, want, gone)
	}
	if after := g.Inspect().Dump(); after != before {
		t.Fatalf("a look changed\n%s\nto\n%s", before, after)
	}
}

// The text of an operation is not that of the next one in its slot.
func TestAnOperationIsNotDescribedByTheLastOneInItsSlot(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{})
	first := g.submit()
	g.Ops().Describe(first, "read", "a.txt")
	g.Ops().Complete(first, ioqueue.Completion{})
	g.Ops().Completion(first)
	second := g.submit()
	if ioqueue.SlotOf(first) != ioqueue.SlotOf(second) {
		t.Fatal("another slot")
	}
	if o := g.Inspect().Operations(nil)[0]; o.Token != second || o.What != "" {
		t.Fatalf("it is %+v", o)
	}
}
