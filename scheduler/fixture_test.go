package scheduler

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// ok is the result most deliveries carry.
var ok = fiber.Result{Code: fiber.OK}

// testScheduler is a scheduler with the steps that the tests share. Whatever fails
// on it fails the test; what is left of it at the end must fit the location table.
type testScheduler struct {
	*Scheduler[int]
	t failer
}

// failer is what a testScheduler needs of a test.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func newTestScheduler(t testing.TB, cfg Config) *testScheduler {
	g := &testScheduler{New[int](cfg), t}
	t.Cleanup(func() {
		if !t.Failed() && g.Inspect().Poisoned() == nil {
			g.Inspect().Verify()
		}
	})
	return g
}

// spawnReady spawns a fiber that is ready.
func (g *testScheduler) spawnReady(o Options) fiber.RegularID {
	g.t.Helper()
	id, err := g.SpawnWith(0, o)
	if err != nil {
		g.t.Fatalf("Spawn: %v", err)
	}
	return id
}

// next runs the fiber at the head of the ready queue.
func (g *testScheduler) next() fiber.RegularID {
	g.t.Helper()
	if g.ScheduleNext() == nil && (!g.Poll() || g.ScheduleNext() == nil) {
		g.t.Fatalf("no fiber is ready:\n%s", g.Inspect().Dump())
	}
	id, _ := g.Current().Regular()
	return id
}

// mount runs this fiber; fibers ahead of it yield.
func (g *testScheduler) mount(id fiber.RegularID) {
	g.t.Helper()
	for range g.run().len() + 1 {
		if g.next() == id {
			return
		}
		g.YieldCurrent()
	}
	g.t.Fatalf("%v is not ready:\n%s", id, g.Inspect().Dump())
}

// spawnRunning spawns a fiber and runs it.
func (g *testScheduler) spawnRunning(o Options) fiber.RegularID {
	g.t.Helper()
	id := g.spawnReady(o)
	g.mount(id)
	return id
}

// spawnBlocked spawns a fiber that blocks in the wait and returns its ticket.
func (g *testScheduler) spawnBlocked(o Options, r fiber.Reason, sources ...fiber.Source) fiber.Ticket {
	g.t.Helper()
	g.spawnRunning(o)
	return g.blockIn(r, sources...)
}

// blockIn blocks the current fiber and registers it with the sources that hold those who wait.
func (g *testScheduler) blockIn(r fiber.Reason, sources ...fiber.Source) fiber.Ticket {
	g.t.Helper()
	t := g.Arm(r, sources...)
	for _, src := range sources {
		if b, parks := src.(interface{ park(fiber.Ticket) }); parks {
			b.park(t)
		}
	}
	if how := g.Block(); how != Parked {
		g.t.Fatalf("the fiber did not park: %v", how)
	}
	return t
}

// call begins a native call in the current chain.
func (g *testScheduler) call() fiber.TrampolineID {
	g.t.Helper()
	id, err := g.AcquireTrampoline()
	if err != nil {
		g.t.Fatalf("AcquireTrampoline: %v", err)
	}
	return id
}

// submit starts an operation of the current fiber.
func (g *testScheduler) submit() fiber.Token {
	g.t.Helper()
	tok, err := g.Ops().Submit()
	if err != nil {
		g.t.Fatalf("Submit: %v", err)
	}
	return tok
}

// at moves the virtual clock and polls.
func (g *testScheduler) at(now fiber.Time) {
	g.t.Helper()
	g.clock.(*VirtualClock).Advance(now)
	g.Poll()
}

// is checks the state of a fiber.
func (g *testScheduler) is(id fiber.ID, want fiber.State) {
	g.t.Helper()
	if got := g.Inspect().State(id); got != want {
		g.t.Fatalf("%v is %v, not %v:\n%s", id, got, want, g.Inspect().Dump())
	}
}

// wakesWith runs the fiber and checks how its last wait ended.
func (g *testScheduler) wakesWith(id fiber.RegularID, want fiber.Code) {
	g.t.Helper()
	g.mount(id)
	g.claims(want)
}

// claims checks how the executing context's last wait ended.
func (g *testScheduler) claims(want fiber.Code) {
	g.t.Helper()
	if _, r := g.Claim(); r.Code != want {
		g.t.Fatalf("the wait of %v ended with %v, not %v", g.Inspect().Executing(), r.Code, want)
	}
}

// delivers checks the verdict on a delivery of ok.
func (g *testScheduler) delivers(t fiber.Ticket, want fiber.Delivery) {
	g.t.Helper()
	if got := g.Deliver(t, ok); got != want {
		g.t.Fatalf("delivery to %v: %v, not %v:\n%s", t, got, want, g.Inspect().Dump())
	}
}

// idles checks the verdict when nothing is ready.
func (g *testScheduler) idles(want VerdictKind) Verdict {
	g.t.Helper()
	v := g.Steps().IdleVerdictWithReport()
	if v.Kind != want {
		g.t.Fatalf("the verdict is %v, not %v:\n%s", v.Kind, want, g.Inspect().Dump())
	}
	return v
}

// refuses has the call break the contract: it must say which rule in which
// operation, and change nothing.
func (g *testScheduler) refuses(rule string, op Op, call func()) *ContractError {
	g.t.Helper()
	before := g.Inspect().Dump()
	e := refusal(call)
	if e == nil {
		g.t.Fatalf("%v was not refused; want %s", op, rule)
	}
	if after := g.Inspect().Dump(); after != before {
		g.t.Fatalf("the refused %v changed something:\n%s\nis now\n%s", op, before, after)
	}
	if e.Rule.String() != rule || e.Op != op {
		g.t.Fatalf("refused as %s in %v, not as %s in %v: %v", e.Rule, e.Op, rule, op, e)
	}
	g.Inspect().Verify()
	return e
}

// refusal is the contract error a call panics with, or nil.
func refusal(call func()) (e *ContractError) {
	defer func() {
		if v := recover(); v != nil {
			if err, isError := v.(error); !isError || !errors.As(err, &e) {
				panic(v)
			}
		}
	}()
	call()
	return nil
}

// violation is the invariant error a call panics with, or nil.
func violation(call func()) (e *InvariantError) {
	defer func() {
		if v := recover(); v != nil {
			if err, isError := v.(error); !isError || !errors.As(err, &e) {
				panic(v)
			}
		}
	}()
	call()
	return nil
}

func (t *extTable) live() int { return len(t.all) - len(t.free) }
