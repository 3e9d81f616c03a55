package scheduler

import (
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

func TestADeadlockReportNamesFibersSourcesHoldersAndTheCycle(t *testing.T) {
	sites := map[fiber.RegularID]string{}
	g := newTestScheduler(t, Config{Site: func(id fiber.RegularID) string { return sites[id] }})
	forks := []*fakeSource{{name: "fork 0"}, {name: "fork 1"}, {name: "fork 2"}}
	var ids []fiber.ID
	for n, name := range []string{"plato", "kant", "hume"} {
		ticket := g.spawnBlocked(Options{Name: name}, fiber.OnQueue(), forks[n])
		reg, _ := ticket.ID.Regular()
		sites[reg] = "dine.lua:" + name
		ids = append(ids, ticket.ID)
	}
	for n, fork := range forks {
		fork.holders = []fiber.ID{ids[(n+1)%3]} // each waits for its right neighbour
	}
	bystander := g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{name: "an empty channel"}).ID
	report := g.idles(Deadlock).Report
	if len(report.Fibers) != 4 || !slices.Equal(report.Cycle, ids) {
		t.Fatalf("%d fibers, cycle %v", len(report.Fibers), report.Cycle)
	}
	for n, f := range report.Fibers[:3] {
		if f.ID != ids[n] || f.Site != "dine.lua:"+f.Name || f.On[0] != forks[n].name || f.Holders[0] != ids[(n+1)%3] {
			t.Fatalf("%+v", f)
		}
	}
	want := `  f0.1 "plato" at dine.lua:plato waits on fork 0; could be woken by f1.1 "kant"
  f1.1 "kant" at dine.lua:kant waits on fork 1; could be woken by f2.1 "hume"
  f2.1 "hume" at dine.lua:hume waits on fork 2; could be woken by f0.1 "plato"
  ` + bystander.String() + ` waits on an empty channel; could be woken by any peer
cycle: f0.1 → f1.1 → f2.1 → f0.1
`
	if got := report.String(); got != want {
		t.Fatalf("the report is\n%swant\n%s", got, want)
	}
}

func TestADeadlockReportFollowsAChainOfNativeCalls(t *testing.T) {
	g := newTestScheduler(t, Config{})
	lock := &fakeSource{name: "the lock"}
	root := g.spawnRunning(Options{Name: "caller"}).ID()
	lock.holders = []fiber.ID{root} // the innermost call waits for what its own root holds
	outer, inner := g.call().ID(), g.call().ID()
	g.blockIn(fiber.OnQueue(), lock)
	report := g.idles(Deadlock).Report
	want := `  f0.1 "caller" waits for its native call t0.1
  t0.1 waits for its native call t1.1
  t1.1 waits on the lock; could be woken by f0.1 "caller"
cycle: f0.1 → t0.1 → t1.1 → f0.1
`
	if report.String() != want || !slices.Equal(report.Cycle, []fiber.ID{root, outer, inner}) {
		t.Fatalf("the report is\n%swant\n%s", report, want)
	}
	if text := (&DeadlockError{Report: report}).Error(); !strings.HasPrefix(text, "deadlock: the only fiber is blocked") {
		t.Fatalf("it counts native calls as fibers: %s", text)
	}
}

// What a caller was given in its last wait, and has not claimed, is no reason to wait.
func TestAReportDoesNotTellOfEarlierWaits(t *testing.T) {
	g := newTestScheduler(t, Config{})
	earlier := &fakeSource{name: "earlier"}
	root := g.spawnRunning(Options{})
	g.blockIn(fiber.OnQueue(), earlier)
	g.delivers(earlier.match(), fiber.Woken)
	g.mount(root)
	g.call()
	g.blockIn(fiber.OnQueue(), &fakeSource{name: "now"})
	fibers := g.idles(Deadlock).Report.Fibers
	if len(fibers) != 2 || fibers[0].On != nil || !slices.Equal(fibers[1].On, []string{"now"}) {
		t.Fatalf("%+v", fibers)
	}
}

func TestAReportTellsWhyEachFiberWaits(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnBlocked(Options{}, fiber.OnQueue())
	g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(50))
	g.spawnBlocked(Options{}, fiber.Until(60))
	g.spawnBlocked(Options{}, fiber.OnQueue().FromOutside())
	g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{name: "a"}, &fakeSource{name: "b"})
	g.spawnBlocked(Options{}, fiber.OnQueue(), new(lineSource))
	g.spawnRunning(Options{})
	tok := g.submit()
	g.blockIn(fiber.OnIO(tok).WithDeadline(70))
	want := []string{"on no object; no wake-up can come", "on queue by 50ns", "on timer(60ns)", "on queue", "on a, b", "on *scheduler.lineSource", "on io("}
	lines := strings.Split(g.Inspect().Report().String(), "\n")
	for n, part := range want {
		if !strings.Contains(lines[n], " waits "+part) {
			t.Fatalf("%q does not say that it waits %s", lines[n], part)
		}
	}
	reasons := []fiber.Reason{
		fiber.OnQueue(), fiber.OnQueue().WithDeadline(50), fiber.Until(60), fiber.OnQueue().FromOutside(),
		fiber.OnQueue(), fiber.OnQueue(), fiber.OnIO(tok).WithDeadline(70),
	}
	for n, r := range reasons {
		if got := g.Inspect().Reason(fiber.NewRegularID(uint32(n), 1).ID()); got != r {
			t.Fatalf("fiber %d waits for %v, not %v", n, got, r)
		}
	}
	if r := g.Inspect().Reason(g.spawnReady(Options{}).ID()); r != (fiber.Reason{}) {
		t.Fatalf("a ready fiber waits for %v", r)
	}
}

func TestAReportWithoutKnownHoldersHasNoCycle(t *testing.T) {
	g := newTestScheduler(t, Config{})
	dead := g.spawnRunning(Options{})
	g.KillCurrent()
	ready := g.spawnReady(Options{})
	g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{name: "a", holders: []fiber.ID{dead.ID(), ready.ID()}})
	self := &fakeSource{name: "b"}
	if cycle := g.Inspect().Report().Cycle; cycle != nil {
		t.Fatalf("cycle %v", cycle)
	}
	self.holders = []fiber.ID{g.spawnBlocked(Options{}, fiber.OnQueue(), self).ID}
	if cycle := g.Inspect().Report().Cycle; !slices.Equal(cycle, self.holders) {
		t.Fatalf("who waits for itself: %v", cycle)
	}
}

func TestACycleIsFoundBehindATail(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var ids []fiber.ID
	var boxes []*fakeSource
	for range 6 {
		b := new(fakeSource)
		ids = append(ids, g.spawnBlocked(Options{}, fiber.OnQueue(), b).ID)
		boxes = append(boxes, b)
	}
	for n, next := range []int{1, 2, 3, 4, 2, 0} { // 0 → 1 → 2 → 3 → 4 → 2, and 5 → 0
		boxes[n].holders = []fiber.ID{ids[next]}
	}
	if cycle := g.Inspect().Report().Cycle; !slices.Equal(cycle, ids[2:5]) {
		t.Fatalf("cycle %v, not %v", cycle, ids[2:5])
	}
}

func TestNamesCanChange(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{Name: "first"})
	call := g.call()
	if g.Inspect().Name(id.ID()) != "first" || g.Inspect().Name(call.ID()) != "" {
		t.Fatalf("%q, %q", g.Inspect().Name(id.ID()), g.Inspect().Name(call.ID()))
	}
	for _, who := range []fiber.ID{id.ID(), call.ID()} {
		if err := g.Attachments().SetName(who, "second"); err != nil || g.Inspect().Name(who) != "second" {
			t.Fatalf("%v: %q, %v", who, g.Inspect().Name(who), err)
		}
	}
	g.ReleaseTrampoline(call)
	g.KillCurrent()
	for _, who := range []fiber.ID{id.ID(), call.ID(), 0} {
		if err := g.Attachments().SetName(who, "third"); err != ErrGone || g.Inspect().Name(who) != "" {
			t.Fatalf("%v: %q, %v", who, g.Inspect().Name(who), err)
		}
	}
}
