package scheduler

import (
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// testLock is a lock one can wait for.
type testLock struct {
	fakeSource
	ownerHook
}

// spawnOwner spawns a fiber that waits for the lock and then owns it.
func (g *testScheduler) spawnOwner(v *testLock, o Options) fiber.RegularID {
	g.t.Helper()
	id := g.spawnRunning(o)
	g.waitFor(id, v)
	g.Attachments().Own(v)
	return id
}

func (g *testScheduler) waitFor(id fiber.RegularID, v *testLock) {
	g.t.Helper()
	t := g.ArmOn(v)
	v.park(t)
	g.Block()
	g.Apply(fiber.Wakeup{Ticket: v.match(), Result: ok, From: v.Slot()})
	g.wakesWith(id, fiber.OK)
}

func TestALockThatWasWaitedForIsOwnedLikeAnyOther(t *testing.T) {
	for name, o := range map[string]Options{"bare": {}, "with a record": {Name: "named"}} {
		for _, tc := range []struct {
			name string
			live func(g *testScheduler, id fiber.RegularID, v *testLock, other *ownerHook)
			want []string
		}{
			{"dies", func(*testScheduler, fiber.RegularID, *testLock, *ownerHook) {}, []string{"lock"}},
			{"gives it back", func(g *testScheduler, _ fiber.RegularID, v *testLock, _ *ownerHook) { g.Attachments().Disown(v) }, nil},
			{"gets it again", func(g *testScheduler, id fiber.RegularID, v *testLock, _ *ownerHook) {
				g.Attachments().Disown(v)
				g.waitFor(id, v)
				g.Attachments().Own(v)
			}, []string{"lock"}},
			{"gets another one", func(g *testScheduler, _ fiber.RegularID, _ *testLock, other *ownerHook) { g.Attachments().Own(other) }, []string{"other", "lock"}},
			{"gets it twice", func(g *testScheduler, _ fiber.RegularID, v *testLock, _ *ownerHook) { g.Attachments().Own(v) }, []string{"lock", "lock"}},
			{"gives one of two back", func(g *testScheduler, _ fiber.RegularID, v *testLock, _ *ownerHook) {
				g.Attachments().Own(v)
				g.Attachments().Disown(v)
			}, []string{"lock"}},
			{"gives back what it has not", func(g *testScheduler, _ fiber.RegularID, _ *testLock, other *ownerHook) {
				g.Attachments().Disown(other)
			}, []string{"lock"}},
			{"waits by ticket", func(g *testScheduler, id fiber.RegularID, _ *testLock, _ *ownerHook) {
				w, _ := g.BlockForQueue()
				g.Deliver(w, ok)
				g.wakesWith(id, fiber.OK)
			}, []string{"lock"}},
			{"waits for it again", func(g *testScheduler, id fiber.RegularID, v *testLock, _ *ownerHook) { g.waitFor(id, v) }, []string{"lock"}},
			{"waits elsewhere and gives it back", func(g *testScheduler, id fiber.RegularID, v *testLock, other *ownerHook) {
				g.waitFor(id, &testLock{})
				g.Attachments().Own(other)
				g.Attachments().Disown(v)
			}, []string{"other"}},
		} {
			t.Run(name+", "+tc.name, func(t *testing.T) {
				g := newTestScheduler(t, Config{})
				var told []string
				v, other := &testLock{ownerHook: ownerHook{name: "lock", told: &told}}, &ownerHook{name: "other", told: &told}
				id := g.spawnOwner(v, o)
				tc.live(g, id, v, other)
				g.Inspect().Verify()
				g.KillCurrent()
				for i, name := range tc.want {
					tc.want[i] = name + " of " + id.String()
				}
				if !slices.Equal(told, tc.want) {
					t.Fatalf("told %v, not %v", told, tc.want)
				}
			})
		}
	}
}

func TestALockThatWasWaitedForNeedsNoRecord(t *testing.T) {
	g, v := newTestScheduler(t, Config{}), new(testLock)
	g.spawnOwner(v, Options{})
	if n := g.reg.exts.live(); n != 0 {
		t.Fatalf("%d records", n)
	}
	if n := testing.AllocsPerRun(100, func() { g.Attachments().Disown(v); g.Attachments().Own(v) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

// The object of the wait stands inside the lock: they share an address, and it is not the
// object whose hook is called.
func TestALockIsNotTakenForTheObjectInsideIt(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var told []string
	v := &testLock{ownerHook: ownerHook{name: "lock", told: &told}}
	id := g.spawnRunning(Options{})
	w := g.ArmOn(&v.fakeSource)
	v.park(w)
	g.Block()
	g.Apply(fiber.Wakeup{Ticket: v.match(), Result: ok, From: v.Slot()})
	g.wakesWith(id, fiber.OK)
	g.Attachments().Own(v)
	g.KillCurrent()
	if len(told) != 1 {
		t.Fatalf("told %v", told)
	}
}
