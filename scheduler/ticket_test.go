package scheduler

import (
	"math/rand/v2"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/invariants"
)

// spawnWaiting spawns a fiber that is blocked while tickets that are not its own are tried:
// none of them may wake it.
func spawnWaiting(g *testScheduler) fiber.Ticket {
	return g.spawnBlocked(Options{}, fiber.OnQueue(), new(lineSource))
}

// refusesTicket delivers a ticket that must be refused with this verdict, and compares
// all there is.
func (g *testScheduler) refusesTicket(ticket fiber.Ticket, want fiber.Delivery) {
	g.t.Helper()
	before := g.Inspect().Dump()
	for _, code := range []fiber.Code{fiber.OK, fiber.Closed, fiber.Failed} {
		if got := g.Deliver(ticket, fiber.Result{Code: code, Value: 77}); got != want {
			g.t.Fatalf("%v: %v, not %v", ticket, got, want)
		}
	}
	if after := g.Inspect().Dump(); after != before {
		g.t.Fatalf("refusing %v changed something:\n%s\nis now\n%s", ticket, before, after)
	}
}

func TestARefusedDeliveryChangesNothing(t *testing.T) {
	cases := map[string]struct {
		verdict fiber.Delivery
		ticket  func(g *testScheduler) fiber.Ticket
	}{
		"the wait was ended by another delivery": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			spent := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.delivers(spent, fiber.Woken)
			return spent
		}},
		"the wait was ended by Wake": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			spent := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.Wake(spent.ID)
			return spent
		}},
		"the wait was ended by its deadline": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			spent := g.spawnBlocked(Options{}, fiber.OnQueue().WithDeadline(5), new(lineSource))
			g.at(5)
			return spent
		}},
		"the wait was taken back, and a native call of the fiber has one armed": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			g.spawnRunning(Options{})
			spent := g.ArmForQueue()
			g.Disarm()
			g.call()
			g.ArmForQueue()
			return spent
		}},
		"the wait was ended by a cancellation": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			spent := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.Cancel(spent.ID, nil)
			return spent
		}},
		"the wait was ended by a kill": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			spent := g.spawnBlocked(Options{Frames: true}, fiber.OnQueue())
			g.Kill(spent.ID, nil)
			return spent
		}},
		"the wait was taken back": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			g.spawnRunning(Options{})
			spent := g.Arm(fiber.OnQueue())
			g.Disarm()
			return spent
		}},
		"the ticket is latched already": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			g.spawnRunning(Options{})
			spent := g.ArmForQueue()
			g.delivers(spent, fiber.Latched)
			return spent
		}},
		"the fiber waits again": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			old := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.delivers(old, fiber.Woken)
			id, _ := old.ID.Regular()
			g.mount(id)
			g.blockIn(fiber.OnQueue())
			return old
		}},
		"the fiber waits for its own callee": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			old := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.delivers(old, fiber.Woken)
			id, _ := old.ID.Regular()
			g.mount(id)
			g.call()
			g.blockIn(fiber.OnQueue())
			return old
		}},
		"the fiber is dead, its slot not reused": {fiber.Gone, func(g *testScheduler) fiber.Ticket {
			last := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.Kill(last.ID, nil)
			return last
		}},
		"the slot was reused, and the new fiber waits": {fiber.Gone, func(g *testScheduler) fiber.Ticket {
			last := g.spawnBlocked(Options{}, fiber.OnQueue())
			g.Kill(last.ID, nil)
			if successor := g.spawnBlocked(Options{}, fiber.OnQueue()); successor.ID.Index() != last.ID.Index() {
				g.t.Fatalf("%v does not live in the slot of %v", successor, last)
			}
			return last
		}},
		"the trampoline's slot was reused": {fiber.Gone, func(g *testScheduler) fiber.Ticket {
			g.spawnRunning(Options{})
			call := g.call()
			last := g.Arm(fiber.OnQueue())
			g.Disarm()
			g.ReleaseTrampoline(call)
			g.call()
			g.blockIn(fiber.OnQueue())
			return last
		}},
		"another scheduler armed it": {fiber.WrongSource, func(g *testScheduler) fiber.Ticket {
			foreign := (&testScheduler{New[int](Config{Number: 8}), g.t}).spawnBlocked(Options{}, fiber.OnQueue())
			g.spawnBlocked(Options{}, fiber.OnQueue())
			return foreign
		}},
		"the fiber waits for an instant": {fiber.WrongSource, func(g *testScheduler) fiber.Ticket {
			return g.spawnBlocked(Options{}, fiber.Until(5))
		}},
		"the fiber waits for an operation": {fiber.WrongSource, func(g *testScheduler) fiber.Ticket {
			g.spawnRunning(Options{})
			return g.blockIn(fiber.OnIO(g.submit()))
		}},
		"no ticket at all": {fiber.Gone, func(g *testScheduler) fiber.Ticket { return fiber.Ticket{} }},
		"a wait not armed yet": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			t := g.spawnBlocked(Options{}, fiber.OnQueue())
			t.Seq++
			return t
		}},
		"a fiber that never waited": {fiber.Stale, func(g *testScheduler) fiber.Ticket {
			return fiber.Ticket{ID: g.spawnRunning(Options{}).ID()}
		}},
		"a slot that never was": {fiber.Gone, func(g *testScheduler) fiber.Ticket {
			t := g.spawnBlocked(Options{}, fiber.OnQueue())
			t.ID += 1 << 20
			return t
		}},
		"the trampoline of the same number": {fiber.Gone, func(g *testScheduler) fiber.Ticket {
			t := g.spawnBlocked(Options{}, fiber.OnQueue())
			t.ID |= 1 << 31
			return t
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			spawnWaiting(g)
			g.refusesTicket(tc.ticket(g), tc.verdict)
		})
	}
}

func TestATicketIsGoodForOneWake(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ticket := g.spawnBlocked(Options{}, fiber.OnQueue())
	g.delivers(ticket, fiber.Woken)
	g.refusesTicket(ticket, fiber.Stale)
	if g.run().len() != 1 {
		t.Fatalf("%d fibers are ready", g.run().len())
	}
}

// ticketMixer makes tickets out of everything it has ever seen: right parts in wrong
// company, off by one, and plain noise. Never a current one.
type ticketMixer struct {
	rng     *rand.Rand
	seen    []fiber.Ticket // current and spent ones alike
	current map[fiber.Ticket]bool
}

func (f *ticketMixer) mix() fiber.Ticket {
	for {
		a, b := f.seen[f.rng.IntN(len(f.seen))], f.seen[f.rng.IntN(len(f.seen))]
		t := a
		switch f.rng.IntN(7) {
		case 0:
			t.Seq = b.Seq
		case 1:
			t.Seq += f.rng.Uint64N(5) - 2
		case 2:
			t.ID ^= 1 << f.rng.IntN(64)
		case 3:
			t.Seq ^= 1 << f.rng.IntN(64)
		case 4:
			t = fiber.Ticket{ID: fiber.ID(f.rng.Uint64()), Seq: f.rng.Uint64()}
		case 5:
			t.ID = fiber.NewRegularID(b.ID.Index(), a.ID.Generation()).ID()
		}
		if !f.current[t] {
			return t
		}
	}
}

// newTicketMixer makes a scheduler in which every kind of wait is open and every kind of ticket
// has been spent.
func newTicketMixer(g *testScheduler) *ticketMixer {
	f := &ticketMixer{rng: rand.New(rand.NewPCG(1, 2)), current: map[fiber.Ticket]bool{}}
	wait := func(r fiber.Reason, sources ...fiber.Source) {
		old := g.spawnBlocked(Options{}, fiber.OnQueue())
		g.Wake(old.ID)
		id, _ := old.ID.Regular()
		g.mount(id)
		now := g.blockIn(r, sources...)
		f.seen = append(f.seen, old, now)
		f.current[now] = true
	}
	for range 3 {
		dead := g.spawnBlocked(Options{}, fiber.OnQueue())
		g.Kill(dead.ID, nil)
		f.seen = append(f.seen, dead)
		wait(fiber.OnQueue())
		wait(fiber.OnQueue(), new(lineSource))
		wait(fiber.OnQueue().WithDeadline(1<<40), new(lineSource), new(lineSource))
		wait(fiber.Until(1 << 40))
	}
	g.spawnRunning(Options{})
	g.call()
	callee := g.blockIn(fiber.OnQueue())
	f.seen = append(f.seen, callee)
	f.current[callee] = true
	return f
}

func TestNoneOfAMillionForgedTicketsIsAccepted(t *testing.T) {
	tries := 1_000_000
	if invariants.On {
		tries /= 50 // each try compares the whole location table
	}
	g := newTestScheduler(t, Config{Number: 3})
	f := newTicketMixer(g)
	before := g.Inspect().Dump()
	verdicts := map[fiber.Delivery]int{}
	for i := range tries {
		ticket := f.mix()
		d := g.Deliver(ticket, ok)
		if verdicts[d]++; d.Accepted() {
			t.Fatalf("forged %v: %v", ticket, d)
		}
		if i%(tries/20) == 0 && g.Inspect().Dump() != before {
			t.Fatalf("after %v, the scheduler has changed", ticket)
		}
	}
	if g.Inspect().Dump() != before {
		t.Fatal("the scheduler has changed")
	}
	for _, d := range []fiber.Delivery{fiber.Stale, fiber.Gone, fiber.WrongSource} {
		if verdicts[d] < tries/100 {
			t.Fatalf("too few kinds of verdicts: %v", verdicts)
		}
	}
	f.confirm(g)
}

// confirm delivers the true tickets after all the forged ones: those that any source
// may end are still good.
func (f *ticketMixer) confirm(g *testScheduler) {
	woken := 0
	for ticket := range f.current {
		if g.Deliver(ticket, ok) == fiber.Woken {
			woken++
		}
	}
	if woken != 10 {
		g.t.Fatalf("%d of the 10 true tickets wake", woken)
	}
}

func TestLookupNamesTheFiberThatLivesInTheSlotNow(t *testing.T) {
	g := newTestScheduler(t, Config{})
	first := g.spawnRunning(Options{})
	call := g.call()
	for _, id := range []fiber.ID{first.ID(), call.ID()} {
		if got, err := g.Inspect().Lookup(id.Raw()); got != id || err != nil {
			t.Fatalf("%v: %v, %v", id, got, err)
		}
	}
	g.ReleaseTrampoline(call)
	g.KillCurrent()
	for _, raw := range []fiber.Raw{first.ID().Raw(), call.ID().Raw(), 99, 1<<31 | 99} {
		last := map[fiber.Raw]fiber.ID{first.ID().Raw(): first.ID(), call.ID().Raw(): call.ID()}[raw]
		if got, err := g.Inspect().Lookup(raw); got != last || err != ErrGone {
			t.Fatalf("%v: %v, %v", raw, got, err)
		}
	}
	successor := g.spawnReady(Options{})
	if got, _ := g.Inspect().Lookup(first.ID().Raw()); got != successor.ID() || got == first.ID() {
		t.Fatalf("%v lives in the slot, Lookup says %v", successor, got)
	}
}
