package scheduler

import (
	"context"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// auditFixture is a scheduler in which every line of the state–location table is occupied.
type auditFixture struct {
	*testScheduler
	box                                    *fakeSource
	alarm                                  *testAlarm
	dead, ready, next, doomed, woken       uint32 // slots
	plain, timer, dated, io, outer, parked uint32
	carried, running                       uint32
	pinned, woke                           uint32        // under pumps: its call waits, its call was woken
	lent                                   uint32        // with another goroutine
	calls                                  []*trampoline // of parked: bottom and top; of carried; of pinned: both; of woke
}

func newAuditFixture(t *testing.T) *auditFixture {
	s := &auditFixture{testScheduler: newTestScheduler(t, Config{}), box: &fakeSource{name: "box"}}
	slot := func(id fiber.ID) uint32 { return id.Index() }
	under := s.pins()
	corpse := s.spawnBlocked(Options{Name: "dead"}, fiber.OnQueue().WithDeadline(500))
	s.plain = slot(s.spawnBlocked(Options{}, fiber.OnQueue(), s.box).ID)
	s.timer = slot(s.spawnBlocked(Options{}, fiber.Until(900)).ID)
	s.dated = slot(s.spawnBlocked(Options{Name: "dated"}, fiber.OnQueue().WithDeadline(800), s.box, new(plainSource)).ID)
	s.io = slot(s.spawnRunning(Options{}).ID())
	s.blockIn(fiber.OnIO(s.submit()))
	s.alarm = s.testScheduler.newAlarm(600)
	s.spawnRunning(Options{})
	s.listen(fiber.OnQueue(), s.alarm)
	s.outer = slot(s.spawnBlocked(Options{}, fiber.OnQueue().FromOutside()).ID)
	s.parked = slot(s.spawnRunning(Options{}).ID())
	bottom, top := s.call(), s.call()
	s.blockIn(fiber.OnQueue().WithDeadline(700), s.box)
	s.carried = slot(s.spawnRunning(Options{}).ID())
	middle := s.call()
	for _, id := range append([]fiber.TrampolineID{bottom, top, middle}, under...) {
		s.calls = append(s.calls, s.tramps.all[id.Index()])
	}
	owing := s.spawnBehind(Options{})
	s.blockIn(fiber.OnQueue(), s.box)
	s.delivers(s.box.waiting[len(s.box.waiting)-1], fiber.Woken)
	s.woken = slot(owing.ID())
	s.lent = slot(s.spawnBehind(Options{}).ID())
	s.Moves().Lend()
	s.running = slot(s.spawnBehind(Options{}).ID())
	s.ready, s.next = slot(s.spawnReady(Options{}).ID()), slot(s.spawnReady(Options{}).ID())
	s.doomed = slot(s.spawnReady(Options{}).ID())
	s.Kill(fiber.NewRegularID(s.doomed, 1).ID(), nil)
	s.Kill(corpse.ID, nil)
	s.dead = slot(corpse.ID)
	s.Inspect().Verify()
	return s
}

// spawnBehind carries the chain that is mounted and runs a new fiber.
func (s *auditFixture) spawnBehind(o Options) fiber.RegularID {
	s.YieldCurrentIfAny()
	return s.spawnRunning(o)
}

// YieldCurrentIfAny leaves the CPU, if a fiber is current.
func (s *auditFixture) YieldCurrentIfAny() {
	if s.Current() != 0 {
		s.YieldCurrent()
	}
}

func (s *auditFixture) at(slot uint32) *header { return s.slots.at(slot) }

func (s *auditFixture) id(slot uint32) fiber.ID { return fiber.NewRegularID(slot, s.at(slot).gen).ID() }

// becomes writes a state past the gate.
func (h *header) becomes(state word) { h.word = h.word&^stateMask | state }

// damage is one corruption and the rule it breaks.
type damage struct {
	name string
	rule string
	harm func(s *auditFixture)
}

func (s *auditFixture) topSide() *ext { return s.reg.ext(s.at(s.parked)) }

var damages = []damage{
	{"a ready fiber is blocked", "I1", func(s *auditFixture) { s.at(s.ready).becomes(blocked) }},
	{"a ready fiber is dead", "I1", func(s *auditFixture) { s.at(s.ready).becomes(dead) }},
	{"a ready fiber runs", "I1", func(s *auditFixture) { s.at(s.ready).becomes(running) }},
	{"a blocked fiber is ready, but not queued", "I1", func(s *auditFixture) { s.at(s.plain).becomes(runnable) }},
	{"a blocked fiber runs", "I2", func(s *auditFixture) { s.at(s.plain).becomes(running) }},
	{"a blocked fiber is dead, with its source", "I1", func(s *auditFixture) { s.at(s.plain).becomes(dead) }},
	{"the running fiber is ready, but not queued", "I1", func(s *auditFixture) { s.at(s.running).becomes(runnable) }},
	{"the running fiber is blocked", "I2", func(s *auditFixture) { s.at(s.running).becomes(blocked) }},
	{"the running fiber is dead", "I12", func(s *auditFixture) { s.at(s.running).becomes(dead) }},
	{"a dead fiber is ready", "I5", func(s *auditFixture) { s.at(s.dead).becomes(runnable) }},
	{"a dead fiber is blocked", "I5", func(s *auditFixture) { s.at(s.dead).becomes(blocked) }},
	{"the queue names a fiber twice", "I1", func(s *auditFixture) { s.Core.ring.push(s.ready) }},
	{"the queue names a fiber in place of another", "I1", func(s *auditFixture) { *s.firstReady() = s.next }},
	{"the queue names a blocked fiber", "I1", func(s *auditFixture) { s.Core.ring.push(s.plain) }},
	{"the queue names a dead fiber", "I1", func(s *auditFixture) { s.Core.ring.push(s.dead) }},
	{"the queue names no fiber", "I1", func(s *auditFixture) { s.Core.ring.push(1 << 20) }},
	{"the queue lost a fiber", "I1", func(s *auditFixture) { s.Core.ring.tail-- }},
	{"the queue is longer than it can be", "I1", func(s *auditFixture) { s.Core.ring.tail += 1 << 20 }},
	{"the queue ends before it begins", "I1", func(s *auditFixture) { s.Core.ring.tail -= 1 << 20 }},
	{"the batch goes beyond its end", "I1", func(s *auditFixture) { s.taken = s.drawn + 1 }},
	{"the batch is longer than the queue", "I1", func(s *auditFixture) { s.drawn += 100 }},
	{"nobody is current while somebody runs", "I2", func(s *auditFixture) { s.cur = s.none }},
	{"a ready fiber is current", "I2", func(s *auditFixture) { s.cur, s.curID = s.at(s.ready), s.id(s.ready) }},
	{"a dead fiber is current", "I2", func(s *auditFixture) { s.cur, s.curID = s.at(s.dead), s.id(s.dead) }},
	{"the current fiber has another's number", "I2", func(s *auditFixture) { s.curID = s.id(s.ready) }},
	{"nobody has flags", "I2", func(s *auditFixture) { s.nobody.word = armed }},
	{"a fiber says it has a callee", "I4", func(s *auditFixture) { s.at(s.plain).set(chained) }},
	{"a fiber waits for a callee it has not", "I2", func(s *auditFixture) { s.at(s.plain).set(onCallee) }},
	{"a caller forgets its chain", "I4", func(s *auditFixture) { s.at(s.parked).clear(chained) }},
	{"a caller forgets that it waits for its callee", "I2", func(s *auditFixture) { s.at(s.parked).clear(onCallee) }},
	{"a caller forgets its frames", "I2", func(s *auditFixture) { s.at(s.parked).clear(frames) }},
	{"a carried caller waits for its callee", "I2", func(s *auditFixture) { s.at(s.carried).set(onCallee) }},
	{"a chain without a top", "I4", func(s *auditFixture) { s.topSide().top = 0 }},
	{"a chain with a top that never was", "I4", func(s *auditFixture) { s.topSide().top = 99 }},
	{"a chain that is somebody else's", "I4", func(s *auditFixture) { s.topSide().top = s.reg.ext(s.at(s.carried)).top }},
	{"a chain that goes round", "I4", func(s *auditFixture) { s.calls[0].caller = s.topSide().top }},
	{"a chain that leads nowhere", "I4", func(s *auditFixture) { s.calls[0].caller = 99 }},
	{"a chain that is cut", "I4", func(s *auditFixture) { s.calls[1].caller = 0 }},
	{"a callee of another root", "I4", func(s *auditFixture) { s.calls[0].root = s.plain }},
	{"the top of a parked chain runs", "I4", func(s *auditFixture) { s.calls[1].becomes(running) }},
	{"the top of a parked chain is dead", "I4", func(s *auditFixture) { s.calls[1].becomes(dead) }},
	{"the bottom of a parked chain runs", "I4", func(s *auditFixture) { s.calls[0].becomes(running) }},
	{"the bottom of a parked chain is dead", "I4", func(s *auditFixture) { s.calls[0].becomes(dead) }},
	{"the bottom of a parked chain waits by ticket", "I4", func(s *auditFixture) { s.calls[0].clear(onCallee) }},
	{"the top of a parked chain waits for a callee", "I4", func(s *auditFixture) { s.calls[1].set(onCallee) }},
	{"a trampoline is ready", "I4", func(s *auditFixture) { s.calls[2].becomes(runnable) }},
	{"a carried trampoline is blocked", "I4", func(s *auditFixture) { s.calls[2].becomes(blocked) }},
	{"a carried trampoline is dead", "I4", func(s *auditFixture) { s.calls[2].becomes(dead) }},
	{"a carried trampoline has a wait armed", "I13", func(s *auditFixture) { s.calls[2].set(armed) }},
	{"a trampoline forgets what it is", "I4", func(s *auditFixture) { s.calls[2].clear(tramp) }},
	{"a trampoline is doomed by itself", "I4", func(s *auditFixture) { s.calls[2].set(killPending) }},
	{"a trampoline waits for I/O", "I8", kindOf(parkedTop, fiber.IO)},
	{"a fiber is flagged as a trampoline", "I4", func(s *auditFixture) { s.at(s.plain).set(tramp) }},
	{"a call is counted that is none", "I4", func(s *auditFixture) { s.tramps.live++ }},
	{"a call is not counted", "I4", func(s *auditFixture) { s.tramps.live-- }},
	{"a living call is free", "I5", func(s *auditFixture) { s.tramps.free = append(s.tramps.free, 0) }},
}

// firstReady is the place of the queue's head.
func (s *auditFixture) firstReady() *uint32 {
	r := &s.Core.ring
	for i := r.head; ; i++ {
		if r.at(i) == s.ready {
			return &r.slots[i&r.mask]
		}
	}
}

func TestEveryCorruptedCellOfTheStateTableIsFound(t *testing.T)    { findAll(t, damages) }
func TestEveryCorruptedCellOfTheLocationTableIsFound(t *testing.T) { findAll(t, locationDamages) }

func findAll(t *testing.T, damages []damage) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			s := newAuditFixture(t)
			d.harm(s)
			e := violation(s.Inspect().Verify)
			if e == nil {
				t.Fatalf("not found; %s expected", d.rule)
			}
			if e.Rule.String() != d.rule || s.Inspect().Poisoned() != e {
				t.Fatalf("found as %s, not %s: %v", e.Rule, d.rule, e)
			}
			s.refusesEverythingWith(e)
		})
	}
}

// refusesEverythingWith: a poisoned scheduler fails every call with the violation that
// poisoned it.
func (s *auditFixture) refusesEverythingWith(want *InvariantError) {
	s.t.Helper()
	some := fiber.NewRegularID(s.plain, 1).ID()
	for name, call := range map[string]func(){
		"ScheduleNext": func() { s.ScheduleNext() }, "YieldCurrent": s.YieldCurrent, "Block": func() { s.Block() },
		"Arm": func() { s.Arm(fiber.OnQueue()) }, "ArmForQueue": func() { s.ArmForQueue() },
		"BlockForQueue": func() { s.BlockForQueue() }, "BlockForIO": func() { s.BlockForIO(1) },
		"Disarm": func() { s.Disarm() }, "Claim": func() { s.Claim() }, "Spawn": func() { _, _ = s.Spawn(0) },
		"SpawnWith": func() { _, _ = s.SpawnWith(0, Options{}) }, "Wake": func() { s.Wake(some) },
		"Deliver": func() { s.Deliver(fiber.Ticket{}, ok) }, "Cancel": func() { _ = s.Cancel(some, nil) },
		"Kill": func() { _ = s.Kill(some, nil) }, "KillAll": func() { s.Steps().KillAll(nil) },
		"KillCurrent": func() { _, _ = s.KillCurrent() }, "Exit": func() { _, _ = s.Exit(1, nil) },
		"SetResult": func() { s.SetResult(1, nil) }, "Own": func() { s.Attachments().Own(nil) }, "Disown": func() { s.Attachments().Disown(nil) },
		"Mask": s.Unwind().Mask, "Unmask": s.Unwind().Unmask, "Submit": func() { _, _ = s.Ops().Submit() },
		"Complete": func() { s.Ops().Complete(1, ioqueue.Completion{}) }, "Attach": func() { _ = s.Ops().Attach(1, new(ioqueue.Cell)) },
		"Acquire": func() { _, _ = s.AcquireTrampoline() }, "Release": func() { s.ReleaseTrampoline(0) },
		"Completion": func() { s.Ops().Completion(1) }, "Cancellations": func() { s.Ops().Cancellations(nil) },
		"Poll": func() { s.Poll() }, "Idle": func() { s.Steps().IdleVerdictWithReport() }, "Report": func() { s.Inspect().Report() },
		"Finish": func() { s.Finish(fiber.Outcome{Kind: fiber.FrameChanged}) }, "Verify": s.Inspect().Verify,
		"YieldPinned": s.Calls().YieldPinned, "Unpin": s.Calls().Unpin, "FailPinned": func() { _ = s.Calls().FailPinned() }, "Unrecovered": func() { s.Unwind().Unrecovered() },
		"Pump": func() { _ = s.Calls().Pump(nil) }, "PumpTurn": func() { s.Calls().PumpTurn(nil) },
		"Run": func() { _ = s.Run(context.Background(), nil) },
	} {
		if got := violation(call); got != want {
			s.t.Fatalf("%s of a poisoned scheduler: %v", name, got)
		}
	}
	if s.Current() != 0 || s.Inspect().Executing() != 0 {
		s.t.Fatalf("%v is current in a poisoned scheduler", s.Current())
	}
}
