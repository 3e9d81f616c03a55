package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// pins leaves two chains under pumps, on top of which the rest of the fixture plays.
func (s *auditFixture) pins() []fiber.TrampolineID {
	s.pinned = s.spawnRunning(Options{Nests: true}).ID().Index()
	bottom, top := s.call(), s.call()
	s.pin(fiber.OnQueue().WithDeadline(950), s.box)
	s.woke = s.spawnRunning(Options{Nests: true}).ID().Index()
	woken := s.call()
	s.pin(fiber.OnQueue())
	s.Wake(woken.ID())
	return []fiber.TrampolineID{bottom, top, woken}
}

// pin blocks the executing call of a fiber that nests.
func (g *testScheduler) pin(r fiber.Reason, sources ...fiber.Source) fiber.Ticket {
	g.t.Helper()
	t := g.Arm(r, sources...)
	for _, src := range sources {
		src.(*fakeSource).park(t)
	}
	if how := g.Block(); how != Pinned {
		g.t.Fatalf("the call was not pinned: %v", how)
	}
	return t
}

var nestDamages = []damage{
	{"a pinned fiber is ready", "I1", func(s *auditFixture) { s.at(s.pinned).becomes(runnable) }},
	{"a pinned fiber is blocked", "I2", func(s *auditFixture) { s.at(s.pinned).becomes(blocked) }},
	{"a pinned fiber is dead", "I1", func(s *auditFixture) { s.at(s.pinned).becomes(dead) }},
	{"a pinned fiber is queued", "I1", func(s *auditFixture) { s.Core.ring.push(s.pinned) }},
	{"a pinned fiber is current too", "I2", func(s *auditFixture) { s.cur, s.curID = s.at(s.pinned), s.id(s.pinned) }},
	{"a pinned fiber does not nest", "I2", func(s *auditFixture) { s.at(s.pinned).clear(nests) }},
	{"a pinned fiber is in no call", "I2", func(s *auditFixture) { s.at(s.pinned).clear(chained) }},
	{"a pinned fiber is not barred", "I2", func(s *auditFixture) { s.at(s.pinned).clear(armed) }},
	{"a pinned fiber waits for its callee", "I2", func(s *auditFixture) { s.at(s.pinned).set(onCallee) }},
	{"a pinned fiber forgets its frames", "I2", func(s *auditFixture) { s.at(s.pinned).clear(frames) }},
	{"a pin is lost", "I2", func(s *auditFixture) { s.Core.pins = s.Core.pins[:1] }},
	{"a chain is pinned twice", "I2", func(s *auditFixture) { s.Core.pins[1] = s.Core.pins[0] }},
	{"a pin names another's slot", "I2", func(s *auditFixture) { s.Core.pins[0].id = s.id(s.woke) }},
	{"a pin names no slot", "I2", func(s *auditFixture) { s.Core.pins[0].id = 1 << 20 }},
	{"a fiber is pinned that parks", "I2", func(s *auditFixture) { s.Core.pins[0] = pin{s.at(s.carried), s.id(s.carried)} }},
	{"the caller in a pinned chain is blocked", "I4", func(s *auditFixture) { s.calls[3].becomes(blocked) }},
	{"the caller in a pinned chain waits for its callee", "I4", func(s *auditFixture) { s.calls[3].set(onCallee) }},
	{"the top of a pinned chain waits for a callee", "I4", func(s *auditFixture) { s.calls[4].set(onCallee) }},
	{"the top of a pinned chain is dead", "I4", func(s *auditFixture) { s.calls[4].becomes(dead) }},
	{"the top of a pinned chain is ready", "I4", func(s *auditFixture) { s.calls[5].becomes(runnable) }},
	{"the top of a pinned chain was never woken", "I10", func(s *auditFixture) { s.calls[4].becomes(running) }},
	{"the top of a pinned chain waits for nothing", "I10", func(s *auditFixture) {
		s.calls[5].becomes(blocked)
		s.calls[5].clear(kindMask)
	}},
	{"a pinned call has a wait armed", "I13", func(s *auditFixture) { s.calls[5].set(armed) }},
	{"a trampoline has frames by itself", "I4", func(s *auditFixture) { s.calls[5].set(frames) }},
	{"a trampoline is called from itself", "I4", func(s *auditFixture) { s.calls[5].set(chained) }},
	{"a trampoline nests by itself", "I4", func(s *auditFixture) { s.calls[5].set(nests) }},
	{"a trampoline has a Fatal panic of its own", "I4", func(s *auditFixture) { s.calls[5].set(fatal) }},
}

func TestUnpinFindsAFiberThatIsNotAsItWasPinned(t *testing.T) {
	for name, harm := range map[string]func(h *header){
		"blocked":     func(h *header) { h.becomes(blocked) },
		"not nesting": func(h *header) { h.clear(nests) },
	} {
		g := newTestScheduler(t, Config{})
		g.spawnRunning(Options{Nests: true})
		call := g.call()
		g.pin(fiber.OnQueue())
		g.Wake(call.ID())
		harm(g.pins[0].root)
		if e := violation(g.Calls().Unpin); e == nil || e.Rule.String() != "I2" {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestEveryCorruptedCellOfAPinnedChainIsFound(t *testing.T) { findAll(t, nestDamages) }
