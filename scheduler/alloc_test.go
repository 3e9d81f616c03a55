//go:build !invariants

package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// The checked build is left out: its checks take memory of their own.

// round is a cycle of operations that comes back to where it began.
type round struct {
	name string
	make func(g *testScheduler) func()
}

var rounds = []round{
	{"spawn, next, exit", func(g *testScheduler) func() {
		return func() {
			_, _ = g.Spawn(1)
			g.next()
			g.KillCurrent()
		}
	}},
	{"move out, move in", func(g *testScheduler) func() {
		for range 40 {
			g.spawnReady(Options{Movable: true})
		}
		var moved []Moved[int]
		return func() {
			moved = g.Moves().MoveOutLast(20, moved[:0])
			for _, m := range moved {
				_, _ = g.Moves().MoveIn(m)
			}
		}
	}},
	{"next, yield", func(g *testScheduler) func() {
		for range 40 {
			g.spawnReady(Options{})
		}
		return func() {
			for range 40 {
				g.next()
				g.YieldCurrent()
			}
		}
	}},
	{"arm, block, wake", func(g *testScheduler) func() {
		id := g.spawnReady(Options{}).ID()
		return func() {
			g.next()
			g.ArmForQueue()
			g.Block()
			g.Wake(id)
		}
	}},
	{"block for queue, deliver, claim", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		return func() {
			g.next()
			t, _ := g.BlockForQueue()
			g.Deliver(t, ok)
			g.next()
			g.Claim()
			g.YieldCurrent()
		}
	}},
	{"arm with one source, deliver", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		src := new(plainSource)
		return func() {
			g.next()
			t := g.Arm(fiber.OnQueue(), src)
			g.Block()
			g.Deliver(t, ok)
			g.next()
			g.Claim()
			g.YieldCurrent()
		}
	}},
	{"arm with three sources and a deadline, deliver", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		a, b, c := new(plainSource), new(plainSource), new(plainSource)
		return func() {
			g.next()
			t := g.Arm(fiber.OnQueue().WithDeadline(1<<50), a, b, c)
			g.Block()
			g.Deliver(t, ok)
			g.next()
			g.Claim()
			g.YieldCurrent()
		}
	}},
	{"latch", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		src := new(plainSource)
		return func() {
			g.next()
			g.Deliver(g.Arm(fiber.OnQueue(), src), ok)
			g.Block()
		}
	}},
	{"arm, disarm", func(g *testScheduler) func() {
		g.spawnRunning(Options{})
		src := new(plainSource)
		return func() {
			g.Arm(fiber.OnQueue(), src)
			g.Disarm()
		}
	}},
	{"deadline added and cancelled", func(g *testScheduler) func() {
		g.spawnRunning(Options{})
		return func() {
			for range 100 { // some of them pay for a sweep
				g.Arm(fiber.Until(1 << 50))
				g.Disarm()
			}
		}
	}},
	{"sleep and fire", func(g *testScheduler) func() {
		for range 40 {
			g.spawnReady(Options{})
		}
		return func() {
			for range 40 {
				g.next()
				g.Arm(fiber.Until(g.Now() + 1000))
				g.Block()
			}
			g.at(g.Now() + 1000)
		}
	}},
	{"alarms set, withdrawn and told", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		alarms := make([]tick, 40)
		return func() {
			for i := range alarms {
				alarms[i].at = g.Now() + 1000
				g.Attachments().SetAlarm(&alarms[i])
			}
			for i := range alarms[:20] {
				alarms[i].at = fiber.Never
				g.Attachments().SetAlarm(&alarms[i])
			}
			g.at(g.Now() + 1000)
		}
	}},
	{"submit, await, complete", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		return func() {
			g.next()
			tok, _ := g.Ops().Submit()
			g.BlockForIO(tok)
			g.Ops().Complete(tok, ioqueue.Completion{N: 1})
			g.next()
			g.Ops().Completion(tok)
			g.YieldCurrent()
		}
	}},
	{"native calls three deep", func(g *testScheduler) func() {
		g.spawnRunning(Options{})
		return func() {
			a, _ := g.AcquireTrampoline()
			b, _ := g.AcquireTrampoline()
			c, _ := g.AcquireTrampoline()
			g.ReleaseTrampoline(c)
			g.ReleaseTrampoline(b)
			g.ReleaseTrampoline(a)
		}
	}},
	{"native call parks and comes back", func(g *testScheduler) func() {
		g.spawnRunning(Options{})
		g.call()
		g.call()
		return func() {
			t := g.Arm(fiber.OnQueue())
			g.Block()
			g.Deliver(t, ok)
			g.next()
			g.Claim()
		}
	}},
	{"native call is pinned, pumped for and comes back", func(g *testScheduler) func() {
		g.spawnRunning(Options{Nests: true})
		g.call()
		return func() {
			g.pin(fiber.Until(g.Now()))
			g.Poll()
			g.Calls().Unpin()
			g.Claim()
			g.Calls().YieldPinned()
			g.Calls().Unpin()
		}
	}},
	{"native call that defers", func(g *testScheduler) func() {
		g.spawnRunning(Options{})
		g.Unwind().Panics().Defer(0, nil)
		return func() {
			call := g.call()
			g.Unwind().Panics().Defer(0, nil)
			g.Unwind().Panics().Return(0)
			g.Unwind().Panics().EndDefer()
			g.ReleaseTrampoline(call)
		}
	}},
	{"refused delivery", func(g *testScheduler) func() {
		spent := g.spawnBlocked(Options{}, fiber.OnQueue())
		g.Wake(spent.ID)
		return func() { g.Deliver(spent, ok) }
	}},
	{"spawned, killed blocked, killed ready", func(g *testScheduler) func() {
		return func() {
			id, _ := g.Spawn(0)
			g.next()
			g.BlockForQueue()
			_ = g.Kill(id.ID(), nil)
			id, _ = g.Spawn(0)
			_ = g.Kill(id.ID(), nil)
			g.Poll()
		}
	}},
	{"spawned with a name and a lock, cancelled, masked", func(g *testScheduler) func() {
		lock := hook(func() {})
		return func() {
			id, _ := g.SpawnWith(0, Options{Name: "n", Frames: true})
			g.next()
			g.Attachments().Own(lock)
			g.Unwind().Mask()
			g.Unwind().Unmask()
			g.BlockForQueue()
			_ = g.Cancel(id.ID(), nil)
			g.next()
			g.Claim()
			g.KillCurrent()
		}
	}},
	{"posted delivery", func(g *testScheduler) func() {
		g.spawnReady(Options{})
		box := g.Inbox()
		return func() {
			g.next()
			t, _ := g.BlockForQueue()
			_ = box.Deliver(t, ok)
			g.Poll()
		}
	}},
}

func TestTheSteadyStateAllocatesNothing(t *testing.T) {
	for _, r := range rounds {
		t.Run(r.name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			again := r.make(g)
			for range 200 { // everything has reached its size
				again()
			}
			if n := testing.AllocsPerRun(200, again); n != 0 {
				t.Fatalf("%v allocations a round", n)
			}
		})
	}
}

func TestAPassOnOneObjectAllocatesNothing(t *testing.T) {
	g, b := newTestScheduler(t, Config{}), new(fakeSource)
	b.waiting = make([]fiber.Ticket, 0, 1<<12)
	g.spawnReady(Options{})
	named := g.spawnReady(Options{Name: "with a record"})
	g.mount(named)
	g.YieldCurrent()
	if n := testing.AllocsPerRun(500, func() {
		g.next()
		g.Claim()
		g.blockOn(b)
		g.serve(b)
	}); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}

// tick is an alarm that wakes no fiber.
type tick struct {
	plainSource
	at fiber.Time
}

func (k *tick) Deadline() fiber.Time { return k.at }
func (k *tick) Waiting() int         { return 0 }
func (k *tick) Due(_ fiber.Time, dst []fiber.Wakeup) []fiber.Wakeup {
	k.at = fiber.Never
	return dst
}

func TestAWakeAllocatesNothing(t *testing.T) {
	g := newTestScheduler(t, Config{})
	w := g.Attachments().NewWaker()
	id := g.spawnRunning(Options{})
	if n := testing.AllocsPerRun(100, func() {
		g.listens(w, fiber.OnQueue().FromOutside())
		w.Wake(ok)
		g.mount(id)
		g.claims(fiber.OK)
	}); n > 0 {
		t.Fatalf("%v allocations", n)
	}
}

func TestAnotherSnapshotInTheSameMemoryAllocatesNothing(t *testing.T) {
	w := newRandomWaits(t, 1)
	for n := range w.ids {
		w.act(n)
	}
	var s Snapshot
	s = w.Inspect().Snapshot(s)
	if n := testing.AllocsPerRun(100, func() { s = w.Inspect().Snapshot(s) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
}
