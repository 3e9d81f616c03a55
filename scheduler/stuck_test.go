package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
	"github.com/selvage-dev/selvage/wait"
)

// pair is two fibers that each wait for what the other holds.
func (g *testScheduler) pair(name string) (ids [2]fiber.ID) {
	g.t.Helper()
	boxes := [2]*fakeSource{{name: name + " left"}, {name: name + " right"}}
	for n, b := range boxes {
		ids[n] = g.spawnBlocked(Options{Name: fmt.Sprint(name, n)}, fiber.OnQueue(), b).ID
	}
	boxes[0].holders, boxes[1].holders = ids[1:], ids[:1]
	return ids
}

// groups are the fibers of the report's groups.
func (g *testScheduler) groups() (groups [][]fiber.ID) {
	r := g.Inspect().Report()
	for i := range r.Stuck {
		var ids []fiber.ID
		for _, f := range r.Stuck[i].Fibers {
			ids = append(ids, f.ID)
		}
		groups = append(groups, ids)
	}
	return groups
}

func (g *testScheduler) stuckAre(want ...[]fiber.ID) {
	g.t.Helper()
	if got := g.groups(); !slices.EqualFunc(got, want, slices.Equal) {
		g.t.Fatalf("stuck are %v, not %v:\n%v", got, want, g.Inspect().Report())
	}
}

func TestAPartialDeadlockIsReportedWhileOthersGoOn(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first := g.pair("first")
	g.spawnBlocked(Options{Name: "clock"}, fiber.Until(100))
	second := g.pair("second")
	reader := g.spawnBlocked(Options{Name: "reader"}, fiber.OnQueue(), &fakeSource{name: "chan"})
	follower := g.spawnBlocked(Options{Name: "follower"}, fiber.OnQueue(), &fakeSource{name: "the end of second0", holders: second[:1]}).ID
	g.stuckAre(first[:], append(second[:], follower))
	want := `  f2.1 "clock" waits on timer(100ns)
  f5.1 "reader" waits on chan; could be woken by any peer
partial deadlock: 2 fibers can only be woken by each other
  f0.1 "first0" waits on first left; could be woken by f1.1 "first1"
  f1.1 "first1" waits on first right; could be woken by f0.1 "first0"
cycle: f0.1 → f1.1 → f0.1
partial deadlock: 3 fibers can only be woken by each other
  f3.1 "second0" waits on second left; could be woken by f4.1 "second1"
  f4.1 "second1" waits on second right; could be woken by f3.1 "second0"
  f6.1 "follower" waits on the end of second0; could be woken by f3.1 "second0"
cycle: f3.1 → f4.1 → f3.1
`
	if got := g.Inspect().Report().String(); got != want {
		t.Fatalf("the report is\n%s\nwant\n%s", got, want)
	}
	g.idles(Waiting) // the run goes on
	g.delivers(reader, fiber.Woken)
}

func TestAFiberThatCanBeWokenFromElsewhereIsNotStuck(t *testing.T) {
	for name, canWake := range map[string]func(g *testScheduler, b *fakeSource){
		"a deadline": func(g *testScheduler, b *fakeSource) { g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(9), b) },
		"from outside": func(g *testScheduler, b *fakeSource) {
			g.spawnBlocked(Options{}, fiber.OnQueue().FromOutside(), b)
		},
		"a second source": func(g *testScheduler, b *fakeSource) {
			g.spawnBlocked(Options{}, fiber.OnQueue(), b, &fakeSource{name: "chan"})
		},
		"unknown holders": func(g *testScheduler, b *fakeSource) {
			g.spawnBlocked(Options{}, fiber.OnQueue(), b, new(plainSource))
		},
		"an ID of no fiber": func(g *testScheduler, b *fakeSource) {
			b.holders = append(b.holders, fiber.NewRegularID(77, 3).ID())
			g.spawnBlocked(Options{}, fiber.OnQueue(), b)
		},
		"a ready holder": func(g *testScheduler, b *fakeSource) {
			g.spawnBlocked(Options{}, fiber.OnQueue(), b)
			b.holders = append(b.holders, g.spawnReady(Options{}).ID())
		},
		"its ticket": func(g *testScheduler, b *fakeSource) { g.spawnBlocked(Options{}, fiber.OnQueue()) },
		"an operation": func(g *testScheduler, b *fakeSource) {
			g.spawnRunning(Options{})
			g.blockIn(fiber.OnIO(g.submit()))
		},
		"the end of its grace": func(g *testScheduler, b *fakeSource) {
			id := g.spawnRunning(Options{})
			g.Unwind().Mask()
			g.blockIn(fiber.OnQueue(), b)
			g.Cancel(id.ID(), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{Grace: 50})
			g.spawnBlocked(Options{}, fiber.Until(100)) // one can run
			b := new(fakeSource)
			canWake(g, b)
			one := g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{holders: []fiber.ID{fiber.NewRegularID(1, 1).ID()}}).ID
			b.holders = append(b.holders, one)
			g.stuckAre()
			if r := g.Inspect().Report(); r.Stuck != nil {
				t.Fatal(r)
			}
		})
	}
}

func TestAFiberThatWaitsForASetAlarmIsNotStuck(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := g.newAlarm(100)
	g.spawnRunning(Options{})
	waiter := g.listen(fiber.OnQueue(), b).ID
	behind := g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{holders: []fiber.ID{waiter}}).ID
	reader := g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{}).ID // the waiter may send
	g.stuckAre()
	b.at = fiber.Never
	g.Attachments().SetAlarm(b)
	g.stuckAre([]fiber.ID{waiter, behind, reader})
	g.idles(Deadlock)
}

func TestInADeadlockAllFibersAreOneGroupIfOneWaitsForAnyPeer(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := g.pair("first"), g.pair("second")
	g.stuckAre(first[:], second[:])
	reader := g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{name: "chan"}).ID
	g.stuckAre(slices.Concat(first[:], second[:], []fiber.ID{reader}))
	if r := g.idles(Deadlock).Report; r.Stuck != nil {
		t.Fatalf("a deadlock has groups: %v", r)
	}
	sender := g.Inbox().NewSender() // a command may bring a value, but no lock
	g.stuckAre(first[:], second[:])
	sender.Close()
}

func TestDumpFibersReportsWhatEachFiberDoes(t *testing.T) {
	g := newTestScheduler(t, Config{Site: func(id fiber.RegularID) string { return "p.lua:" + id.String() }})
	g.pair("pair")
	g.spawnReady(Options{})
	g.spawnRunning(Options{Name: "asks"})
	want := `4 fibers, 2 of them blocked
  f3.1 "asks" at p.lua:f3.1 is running
  f2.1 at p.lua:f2.1 is runnable
partial deadlock: 2 fibers can only be woken by each other
  f0.1 "pair0" at p.lua:f0.1 waits on pair left; could be woken by f1.1 "pair1"
  f1.1 "pair1" at p.lua:f1.1 waits on pair right; could be woken by f0.1 "pair0"
cycle: f0.1 → f1.1 → f0.1
`
	if got := g.Inspect().DumpFibers(); got != want {
		t.Fatalf("told\n%s\nwant\n%s", got, want)
	}
}

func TestAFiberThatWaitsForItselfIsStuckAlone(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnReady(Options{})
	b := &fakeSource{name: "its permits"}
	b.holders = []fiber.ID{g.spawnBlocked(Options{Name: "greedy"}, fiber.OnQueue(), b).ID}
	text := g.Inspect().Report().String()
	for _, part := range []string{"partial deadlock: a fiber can only be woken by itself\n", "cycle: f1.1 → f1.1\n"} {
		if !strings.Contains(text, part) {
			t.Fatalf("%q is not in\n%s", part, text)
		}
	}
}

func TestAChainOfNativeCallsIsStuckAsAWhole(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnReady(Options{})
	lock := &fakeSource{name: "the lock"}
	root := g.spawnRunning(Options{Name: "caller"}).ID()
	lock.holders = []fiber.ID{root}
	outer, inner := g.call().ID(), g.call().ID()
	g.blockIn(fiber.OnQueue(), lock)
	other := g.spawnBlocked(Options{}, fiber.OnQueue(), &fakeSource{holders: []fiber.ID{outer}}).ID // a call can hold something too
	g.stuckAre([]fiber.ID{root, outer, inner, other})
	if text := g.Inspect().Report().String(); !strings.Contains(text, "partial deadlock: 2 fibers can only") {
		t.Fatalf("it counts native calls as fibers:\n%s", text)
	}
}

func TestAReaderMayGoOnWhenTheWriterBeforeItGivesUp(t *testing.T) {
	for _, by := range []fiber.Time{50, fiber.Never} {
		g := newTestScheduler(t, Config{})
		g.spawnReady(Options{})
		var table wait.RWMutex
		late := &fakeSource{}
		reader := g.spawnRunning(Options{Name: "reader"}).ID()
		if ok, _ := table.TryRLock(reader); !ok {
			t.Fatal("the table is taken")
		}
		g.blockIn(fiber.OnQueue(), late)
		writer, behind := g.spawnRunning(Options{Name: "writer"}).ID(), fiber.ID(0)
		table.ParkLock(g.Arm(fiber.OnQueue().WithDeadline(by), table.Source()), writer)
		g.Block()
		behind = g.spawnRunning(Options{Name: "late reader"}).ID()
		table.ParkRLock(g.Arm(fiber.OnQueue(), table.Source()), behind)
		g.Block()
		late.holders = []fiber.ID{behind} // which the reader waits for
		if by == fiber.Never {
			g.stuckAre([]fiber.ID{reader, writer, behind})
			continue
		}
		g.stuckAre()
		g.at(by)
		g.is(behind, fiber.Runnable)
	}
}

func TestASourceNamedTwiceIsReportedOnce(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := &fakeSource{name: "b", holders: []fiber.ID{g.spawnReady(Options{Name: "owner"}).ID()}}
	g.spawnBlocked(Options{}, fiber.OnQueue(), b, &fakeSource{name: "a"}, b)
	f := g.Inspect().Report().Fibers[0]
	if !slices.Equal(f.On, []string{"b", "a"}) || !slices.Equal(f.Holders, b.holders) {
		t.Fatalf("it waits on %v, held by %v", f.On, f.Holders)
	}
	if text := g.Inspect().Report().String(); !strings.Contains(text, `could be woken by f0.1 "owner"`) {
		t.Fatalf("the holder that is not blocked has no name: %s", text)
	}
}

// A chain as long as the scheduler is large overflows no stack and takes linear time.
func TestAReportOnAMillionFibersInAChain(t *testing.T) {
	n := 1_000_000
	switch {
	case invariants.On:
		n = 100 // each operation looks at all of them
	case testing.Short():
		n = 100_000
	}
	g := newTestScheduler(t, Config{})
	g.spawnReady(Options{}) // one can run
	links := make([]fakeSource, n)
	holders := make([]fiber.ID, n)
	for i := range links {
		holders[i] = fiber.NewRegularID(uint32(1+(i+1)%n), 1).ID() // the next, and the last the first
		links[i].holders = holders[i : i+1]
		g.Spawn(0)
	}
	g.next()
	g.YieldCurrent()
	for i := range links {
		g.next()
		links[i].park(g.Arm(fiber.OnQueue(), &links[i]))
		g.Block()
	}
	r := g.Inspect().Report()
	if len(r.Stuck) != 1 || len(r.Stuck[0].Cycle) != n || len(r.Cycle) != n || r.Cycle[0] != fiber.NewRegularID(1, 1).ID() {
		t.Fatalf("%d groups, a cycle of %d", len(r.Stuck), len(r.Cycle))
	}
	links[n-1].holders = nil // now it is a channel's
	if r := g.Inspect().Report(); len(r.Fibers) != n || r.Cycle != nil || r.Stuck != nil {
		t.Fatalf("%d groups, a cycle of %d", len(r.Stuck), len(r.Cycle))
	}
}
