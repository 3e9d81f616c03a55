package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

func lends(g *testScheduler) fiber.RegularID {
	id := g.spawnRunning(Options{})
	g.Moves().Lend()
	return id
}

func TestALentFiberRunsAndIsNotCurrent(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := lends(g)
	g.is(id.ID(), fiber.Running)
	if g.Current() != 0 || g.Moves().Lent() != 1 || !g.HasWork() || g.Inspect().Blocked() > 0 {
		t.Fatalf("current %v, %d lent", g.Current(), g.Moves().Lent())
	}
	g.Moves().Recall(id)
	if g.Current() != id.ID() || g.Moves().Lent() != 0 {
		t.Fatalf("current %v, %d lent", g.Current(), g.Moves().Lent())
	}
	g.KillCurrent()
}

func TestOthersRunWhileFibersAreLent(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first, second := lends(g), lends(g)
	g.spawnBlocked(Options{}, fiber.OnQueue())
	g.Moves().Recall(second)
	g.YieldCurrent()
	g.mount(second)
	g.KillCurrent()
	g.Moves().Recall(first)
	g.KillCurrent()
}

// Its slice will end, so a fiber that only it can wake is not deadlocked.
func TestAnIdleSchedulerWaitsForWhatIsLent(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := lends(g)
	g.spawnBlocked(Options{}, fiber.OnQueue())
	g.idles(Waiting)
	if r := g.Inspect().Report(); len(r.Stuck) > 0 {
		t.Fatalf("stuck: %v", r)
	}
	g.Moves().Recall(id)
	g.KillCurrent()
	g.idles(Deadlock)
}

func TestALentFiberIsCancelledAtTheEndOfItsSlice(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := lends(g)
	g.Cancel(id.ID(), nil)
	g.is(id.ID(), fiber.Running)
	g.Moves().Recall(id)
	if g.Finish(fiber.BlockOn(fiber.OnQueue())) != true {
		t.Fatal("the wait was not interrupted")
	}
	g.claims(fiber.Cancelled)
}

// docs/design.md#transitions: the slice's operations are applied, its Outcome is replaced by the kill.
func TestALentFiberThatIsKilledDiesWhenItsSliceEnds(t *testing.T) {
	g := newTestScheduler(t, Config{})
	peer := g.spawnBlocked(Options{}, fiber.OnQueue())
	id := lends(g)
	g.Kill(id.ID(), nil)
	g.is(id.ID(), fiber.Running)
	g.Moves().Recall(id)
	g.delivers(peer, fiber.Woken) // what the slice did
	if g.Finish(fiber.Outcome{Kind: fiber.TimesliceExpired}) {
		t.Fatal("it goes on")
	}
	g.is(id.ID(), fiber.Dead)
	g.is(peer.ID, fiber.Runnable)
}

func TestATicketOfAnEarlierWaitDoesNotReachALentFiber(t *testing.T) {
	g := newTestScheduler(t, Config{})
	id := g.spawnRunning(Options{})
	ticket := g.blockIn(fiber.OnQueue())
	g.delivers(ticket, fiber.Woken)
	g.mount(id)
	g.Moves().Lend()
	g.delivers(ticket, fiber.Stale)
	g.Moves().Recall(id)
	g.claims(fiber.OK)
}

func TestAFiberIsRecalledOnceAndOnlyByItsID(t *testing.T) {
	g := newTestScheduler(t, Config{})
	other := g.spawnBlocked(Options{}, fiber.OnQueue())
	id := lends(g)
	asleep, _ := other.ID.Regular()
	g.refuses("I2", op.Lend, func() { g.Moves().Recall(asleep) })
	g.refuses("I2", op.Lend, func() { g.Moves().Recall(0) })
	g.Moves().Recall(id)
	g.refuses("I2", op.Lend, func() { g.Moves().Recall(id) })
	g.KillCurrent()
	g.refuses("I2", op.Lend, func() { g.Moves().Recall(id) })
	reborn := g.spawnRunning(Options{})
	g.Moves().Lend()
	g.refuses("I2", op.Lend, func() { g.Moves().Recall(id) }) // the same slot, an earlier fiber
	g.Moves().Recall(reborn)
}

func TestAFiberThatWouldPumpIsNotLent(t *testing.T) {
	g := newTestScheduler(t, Config{})
	g.spawnRunning(Options{Nests: true})
	g.refuses("I2", op.Lend, func() { g.Moves().Lend() })
}

func TestEveryCorruptedCellOfALentFiberIsFound(t *testing.T) {
	findAll(t, []damage{
		{"a lent fiber is ready", "I1", func(s *auditFixture) { s.at(s.lent).becomes(runnable) }},
		{"a lent fiber is blocked", "I2", func(s *auditFixture) { s.at(s.lent).becomes(blocked) }},
		{"a lent fiber is dead", "I1", func(s *auditFixture) { s.at(s.lent).becomes(dead) }},
		{"a lent fiber is queued", "I1", func(s *auditFixture) { s.Core.ring.push(s.lent) }},
		{"a lent fiber is current too", "I2", func(s *auditFixture) { s.cur, s.curID = s.at(s.lent), s.id(s.lent) }},
		{"a lent fiber has a wait armed", "I2", func(s *auditFixture) { s.at(s.lent).set(armed) }},
		{"a lent fiber nests", "I2", func(s *auditFixture) { s.at(s.lent).set(nests) }},
		{"a lent fiber is pinned too", "I2", func(s *auditFixture) { s.at(s.pinned).set(lent) }},
		{"a lent fiber is forgotten", "I2", func(s *auditFixture) { s.at(s.lent).clear(lent) }},
		{"one fiber more is counted as lent", "I2", func(s *auditFixture) { s.Core.lent++ }},
		{"a ready fiber is lent", "I2", func(s *auditFixture) { s.at(s.ready).set(lent) }},
	})
}
