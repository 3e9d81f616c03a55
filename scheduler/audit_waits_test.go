package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
)

// set and unset make a damage of one bit of a header.
func set(slot func(s *auditFixture) *header, f word) func(*auditFixture) {
	return func(s *auditFixture) { slot(s).set(f) }
}
func unset(slot func(s *auditFixture) *header, f word) func(*auditFixture) {
	return func(s *auditFixture) { slot(s).clear(f) }
}

func readyOne(s *auditFixture) *header   { return s.at(s.ready) }
func runningOne(s *auditFixture) *header { return s.at(s.running) }
func plainOne(s *auditFixture) *header   { return s.at(s.plain) }
func timerOne(s *auditFixture) *header   { return s.at(s.timer) }
func datedOne(s *auditFixture) *header   { return s.at(s.dated) }
func outerOne(s *auditFixture) *header   { return s.at(s.outer) }
func wokenOne(s *auditFixture) *header   { return s.at(s.woken) }
func doomedOne(s *auditFixture) *header  { return s.at(s.doomed) }
func deadOne(s *auditFixture) *header    { return s.at(s.dead) }
func parkedTop(s *auditFixture) *header  { return &s.calls[1].header }

// kindOf makes a damage of writing another kind of wait.
func kindOf(slot func(s *auditFixture) *header, k fiber.Kind) func(*auditFixture) {
	return func(s *auditFixture) { h := slot(s); h.word = h.word&^kindMask | word(k)<<kindShift }
}

var locationDamages = []damage{
	{"a ready fiber has a wait armed", "I13", set(readyOne, armed)},
	{"a ready fiber has a wait latched", "I13", set(readyOne, latched)},
	{"the root of a chain that does not run shows a wait as armed", "I13", func(s *auditFixture) { s.at(s.carried).set(armed) }},
	{"a blocked fiber has its wait armed", "I13", set(plainOne, armed)},
	{"the running fiber has a wait both armed and latched", "I13", set(runningOne, armed|latched)},
	{"a dead fiber keeps a flag", "I1", set(deadOne, frames)},
	{"a fiber that does not wait has a deadline", "I10", set(readyOne, timed)},
	{"a fiber that waits for no instant has a deadline", "I10", set(plainOne, timed)},
	{"a sleeper is not in the wheel", "I10", unset(timerOne, timed)},
	{"a wait lost its deadline", "I10", unset(datedOne, timed)},
	{"the top of a parked chain lost its deadline", "I10", unset(parkedTop, timed)},
	{"a deadline is counted that is none", "I10", func(s *auditFixture) { s.timers.live++ }},
	{"a deadline is not counted", "I10", func(s *auditFixture) { s.timers.live-- }},
	{"an alarm is set and not counted", "I10", func(s *auditFixture) { s.timers.alarms.count-- }},
	{"an alarm is counted that is not set", "I10", func(s *auditFixture) { s.timers.alarms.unset(s.alarm.Slot()); s.timers.alarms.count++ }},
	{"an alarm was never set", "I10", func(s *auditFixture) { s.timers.alarms.setting[s.alarm.Slot()-1] += 99 }},
	{"an alarm is set whose slot is free", "I10", func(s *auditFixture) { s.timers.alarms.set(77) }},
	{"an alarm is set that is none", "I10", func(s *auditFixture) { s.timers.alarms.set(s.box.Slot()) }},
	{"a fiber that does not wait is external", "I10", set(readyOne, external)},
	{"a wait is external that is not", "I10", set(plainOne, external)},
	{"an external wait is not", "I10", unset(outerOne, external)},
	{"an external wait is counted that is none", "I10", func(s *auditFixture) { s.external++ }},
	{"a fiber waits for nothing", "I10", kindOf(outerOne, fiber.NoWait)},
	{"a fiber waits for an instant without a deadline", "I10", kindOf(outerOne, fiber.Timer)},
	{"a fiber waits for an operation without one", "I8", kindOf(outerOne, fiber.IO)},
	{"a fiber waits for another's operation", "I8", func(s *auditFixture) { s.at(s.io).ref++ }},
	{"a fiber waits for an operation that never was", "I8", func(s *auditFixture) { s.at(s.io).ref = 1 << 20 }},
	{"a fiber with a record waits for another's operation", "I8", func(s *auditFixture) { s.reg.keepExt(s.at(s.io)).token++ }},
	{"a fiber has a record that is none", "I12", set(plainOne, hasExt)},
	{"a fiber has the record 0", "I12", set(readyOne, hasExt)},
	{"a fiber has another's record", "I12", func(s *auditFixture) { s.at(s.doomed).ref = s.at(s.dated).ref }},
	{"a fiber has a record that is free", "I12", func(s *auditFixture) { s.reg.exts.free = append(s.reg.exts.free, s.at(s.dated).ref) }},
	{"a fiber has lost its record", "I12", func(s *auditFixture) { s.at(s.dated).ref = 99 }},
	{"a record is taken by nobody", "I12", func(s *auditFixture) { s.reg.exts.take() }},
	{"a record is free twice", "I12", func(s *auditFixture) { s.reg.exts.free = append(s.reg.exts.free, s.reg.exts.free[0]) }},
	{"a wait refers to a source that is free", "I10", func(s *auditFixture) { s.at(s.plain).ref = 77 }},
	{"a wait with a record refers to a source that is free", "I10", func(s *auditFixture) { s.reg.ext(s.at(s.dated)).source = 77 }},
	{"a source was moved to another slot", "I10", func(s *auditFixture) { s.box.SetSlot(9) }},
	{"a source has one wait too many", "I10", func(s *auditFixture) { s.reg.sources.at(s.box.Slot()).refs++ }},
	{"a source has one wait too few", "I10", func(s *auditFixture) { s.reg.sources.at(s.box.Slot()).refs-- }},
	{"a source still holds a ticket that was spent", "I10", func(s *auditFixture) {
		s.box.park(fiber.Ticket{ID: fiber.NewRegularID(s.woken, 1).ID(), Seq: s.at(s.woken).seq})
	}},
	{"a fiber refers to a source after its wait", "I10", unset(wokenOne, owed)},
	{"a waiting fiber keeps the source of its last wait", "I10", set(plainOne, kept)},
	{"a fiber keeps the source of a result to be claimed", "I10", set(wokenOne, kept)},
	{"a fiber keeps a source that is none", "I10", set(readyOne, kept)},
	{"operations go on that the end of their fiber would not look at", "I12", func(s *auditFixture) { s.at(s.io).clear(operates) }},
	{"a waiting fiber has a result to claim", "I12", set(plainOne, owed)},
	{"a fiber without a source has a result to claim", "I12", set(readyOne, owed)},
	{"a fiber is doomed for nothing", "I12", set(readyOne, killPending)},
	{"a doomed fiber without frames is not reaped", "I12", unset(doomedOne, reapable)},
	{"a fiber is reaped that is not doomed", "I12", set(readyOne, reapable)},
	{"a reaped fiber has frames", "I12", set(doomedOne, frames)},
	{"a fiber is told of a cancellation that was none", "I12", set(plainOne, cancelPending)},
	{"a cancellation nobody is told of", "I12", func(s *auditFixture) { s.reg.ext(s.at(s.dated)).cancel = cancelRequested }},
	{"a grace that is not in the wheel", "I10", func(s *auditFixture) { s.reg.ext(s.at(s.dated)).grace = true }},
	{"a spawn is counted that was none", "I12", func(s *auditFixture) { s.counts.Spawned++ }},
	{"an end is counted that was none", "I12", func(s *auditFixture) { s.counts.Ended++ }},
	{"a dead slot is neither free nor retired", "I5", func(s *auditFixture) { s.slots.free = 0 }},
	{"a native call's slot is retired that is not", "I5", func(s *auditFixture) { s.tramps.retired++ }},
	{"a living slot is free", "I5", func(s *auditFixture) { s.slots.free = s.plain + 1 }},
	{"the list of free slots goes round", "I5", func(s *auditFixture) { s.at(s.dead).ref = s.dead + 1 }},
	{"the list of free slots leads nowhere", "I5", func(s *auditFixture) { s.at(s.dead).ref = 1 << 20 }},
	{"a fiber without a generation", "I5", func(s *auditFixture) { s.at(s.plain).gen = 0 }},
	{"a wait that was never numbered", "I5", func(s *auditFixture) { s.at(s.plain).seq += 1 << 20 }},
	{"a wake-up that was decided and not delivered", "I9", func(s *auditFixture) { s.wakeups = append(s.wakeups, fiber.Wakeup{}) }},
	{"an order that was decided and not carried out", "I9", func(s *auditFixture) { s.orders = append(s.orders, fiber.Order{}) }},
}

func TestAnArmedCalleeIsShownByItsRoot(t *testing.T) {
	for name, harm := range map[string]func(s *auditFixture){
		"the root does not show it": func(s *auditFixture) { s.cur.clear(armed) },
		"the callee has it not":     func(s *auditFixture) { s.tramps.all[len(s.tramps.all)-1].clear(armed) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newAuditFixture(t)
			s.call()
			s.Arm(fiber.OnQueue())
			s.Inspect().Verify()
			harm(s)
			if e := violation(s.Inspect().Verify); e == nil || e.Rule.String() != "I13" {
				t.Fatalf("%v", e)
			}
		})
	}
}

func TestABatchThatIsNotTheFrontOfTheQueueIsFound(t *testing.T) {
	for name, harm := range map[string]func(s *auditFixture){
		"another slot":   func(s *auditFixture) { s.ids[s.taken] = s.id(s.plain) },
		"another header": func(s *auditFixture) { s.ahead[s.taken] = s.at(s.plain) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newAuditFixture(t)
			s.YieldCurrent()
			s.Poll()
			harm(s)
			if e := violation(s.Inspect().Verify); e == nil || e.Rule.String() != "I1" {
				t.Fatalf("%v", e)
			}
		})
	}
}

// What Poll meets at the head of the queue it looks at even in the build without checks.
func TestPollFindsAHeadThatIsNotReady(t *testing.T) {
	for _, state := range []word{dead, running, blocked} {
		s := newAuditFixture(t)
		s.YieldCurrent()
		head := s.Core.ring.at(s.Core.ring.head)
		s.at(head).becomes(state)
		if e := violation(func() { s.Poll() }); e == nil || e.Rule.String() != "I1" || e.Op != op.Next {
			t.Fatalf("%v", e)
		}
	}
}

// ScheduleNext has no time to look: its gate does, and the first reader of the error poisons
// the scheduler.
func TestTheGateFindsAFiberThatIsNotReadyInTheMiddleOfABatch(t *testing.T) {
	for _, state := range []word{dead, running, blocked} {
		s := newAuditFixture(t)
		s.YieldCurrent()
		s.Poll()
		s.ahead[s.taken].becomes(state)
		e := violation(func() { s.ScheduleNext() })
		if e == nil || e.Rule.String() != "I1" || e.Op != op.Next {
			t.Fatalf("%v", e)
		}
		t.Log(e)
		if s.Inspect().Poisoned() != e {
			t.Fatalf("poisoned by %v", s.Inspect().Poisoned())
		}
		s.refusesEverythingWith(e)
	}
}

// A delivery to a plain wait asks no more than it has to: that a sleeper has no wait
// prepared is left to the gate.
func TestTheGateFindsASleeperThatIsArmed(t *testing.T) {
	for _, flag := range []word{armed, latched} {
		g := newTestScheduler(t, Config{})
		ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
		g.slots.at(ticket.ID.Index()).set(flag)
		e := violation(func() { g.Deliver(ticket, ok) })
		if e == nil || e.Rule.String() != "I3" {
			t.Fatalf("%v", e)
		}
		if t.Log(e); g.Inspect().Poisoned() != e {
			t.Fatalf("poisoned by %v", g.Inspect().Poisoned())
		}
	}
}

func TestTheGateFindsASlotThatIsFreeAndAlive(t *testing.T) {
	for _, slot := range []func(s *auditFixture) uint32{
		func(s *auditFixture) uint32 { return s.ready }, func(s *auditFixture) uint32 { return s.plain },
	} {
		s := newAuditFixture(t)
		s.slots.free = slot(s) + 1
		e := violation(func() { _, _ = s.Spawn(0) })
		if e == nil || e.Op != op.Spawn || len(e.Recent()) == 0 || s.Inspect().Poisoned() != e {
			t.Fatalf("%v", e)
		}
	}
}

func TestAViolationTellsWhatWasFoundAndWhatLedToIt(t *testing.T) {
	s := newAuditFixture(t)
	s.at(s.plain).becomes(runnable)
	err := error(violation(s.Inspect().Verify))
	var e *InvariantError
	if !errors.As(err, &e) || e.Found == "" || len(e.Recent()) == 0 {
		t.Fatalf("%v", err)
	}
	if want := fiber.NewRegularID(s.running, 1).ID(); e.Fiber() != want || e.State() != fiber.Running {
		t.Fatalf("executing %v, %v; want %v", e.Fiber(), e.State(), want)
	}
	for _, part := range []string{"rule I1 (docs/invariants.md#i1)", e.Found, "poisoned", "recent:"} {
		if !strings.Contains(err.Error(), part) {
			t.Fatalf("%q is missing in: %v", part, err)
		}
	}
}

func TestASchedulerThatWasNeverHurtIsNotPoisoned(t *testing.T) {
	s := newAuditFixture(t)
	if s.Inspect().Poisoned() != nil {
		t.Fatal(s.Inspect().Poisoned())
	}
}

// seen is the snapshot, or what became of an attempt to write one.
func (s *auditFixture) seen() (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint("no snapshot: ", v)
		}
	}()
	return s.Inspect().Dump()
}

func TestASnapshotShowsEveryCell(t *testing.T) {
	for _, d := range slices.Concat(damages, locationDamages) {
		t.Run(d.name, func(t *testing.T) {
			s := newAuditFixture(t)
			before := s.seen()
			d.harm(s)
			defer func() { _ = violation(s.Inspect().Verify) }() // poisoned, it is not verified again
			if r := &s.Core.ring; r.len() < 0 || r.len() > len(r.slots) {
				return // it would be written out for hours
			}
			if s.seen() == before {
				t.Fatal("two states look the same")
			}
		})
	}
}
