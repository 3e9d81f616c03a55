package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// A fiber that was woken by one of several objects has a record until it claims. What it
// takes on before that outlasts the claim.
func TestWhatIsDoneBeforeAClaimOutlastsIt(t *testing.T) {
	var told []string
	for _, c := range []struct {
		name string
		do   func(g *testScheduler)
		then func(g *testScheduler) bool
	}{
		{"submits", func(g *testScheduler) { g.submit() }, func(g *testScheduler) bool {
			left := g.io.Outstanding()
			g.KillCurrent()
			return left == 1 && len(g.Ops().Cancellations(nil)) == 1
		}},
		{"owns", func(g *testScheduler) { g.Attachments().Own(&ownerHook{name: "lock", told: &told}) }, func(g *testScheduler) bool {
			told = nil
			g.KillCurrent()
			return len(told) == 1
		}},
		{"is linked", func(g *testScheduler) { g.Attachments().Link(&testLink{told: &told}) }, func(g *testScheduler) bool {
			told = nil
			g.KillCurrent()
			return len(told) == 1
		}},
		{"masks", func(g *testScheduler) { g.Unwind().Mask() }, func(g *testScheduler) bool {
			g.Cancel(g.Current(), nil)
			code, _ := g.TakeInterrupt()
			g.Unwind().Unmask()
			return code == fiber.Pending
		}},
		{"sets its result", func(g *testScheduler) { g.SetResult(7, nil) }, func(g *testScheduler) bool {
			result, _ := g.KillCurrent()
			return result == 7
		}},
		{"is named", func(g *testScheduler) { _ = g.Attachments().SetName(g.Current(), "n") }, func(g *testScheduler) bool {
			return g.Inspect().Name(g.Current()) == "n"
		}},
		{"is joined", func(g *testScheduler) {
			id, _ := g.Current().Regular()
			g.Attachments().Cell(id)
		}, func(g *testScheduler) bool {
			id, _ := g.Current().Regular()
			cell, _ := g.Attachments().Cell(id)
			g.KillCurrent()
			return cell.Completed()
		}},
		{"calls", func(g *testScheduler) { g.call() }, func(g *testScheduler) bool {
			top, _ := g.Inspect().Executing().Trampoline()
			g.ReleaseTrampoline(top)
			return g.Inspect().Executing() == g.Current()
		}},
		{"panics", func(g *testScheduler) { g.Unwind().Panics().Defer(3, "clean up") }, func(g *testScheduler) bool {
			_, ok := g.Unwind().Panics().Return(3)
			return ok
		}},
	} {
		for _, cheap := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				g := newTestScheduler(t, Config{Dropped: func(fiber.Token, ioqueue.Completion) {}})
				if cheap {
					g.warmUp(2)
				}
				left, right := &fakeSource{name: "left"}, &fakeSource{name: "right"}
				ticket := g.spawnBlocked(Options{}, fiber.OnQueue(), left, right)
				g.delivers(ticket, fiber.Woken)
				g.mount(root(ticket.ID))
				c.do(g)
				g.Inspect().Verify()
				if c.name != "calls" {
					g.claims(fiber.OK)
				}
				g.Inspect().Verify()
				if !c.then(g) {
					t.Errorf("it is forgotten:\n%s", g.Inspect().Dump())
				}
			})
		}
	}
}

// Every call comes back with the scheduler open for the next, whether it was refused or not.
func TestEveryCallLeavesTheSchedulerOpen(t *testing.T) {
	for name := range otherCalls(newTestScheduler(t, Config{}), 0) {
		for _, nests := range []bool{false, true} {
			g := newTestScheduler(t, Config{})
			other := g.spawnReady(Options{})
			g.spawnRunning(Options{Nests: nests})
			if nests {
				g.call()
			}
			calls := otherCalls(g, other)
			if name == "SetAlarm" {
				calls[name] = func() { g.Attachments().SetAlarm(&testAlarm{at: 5}) } // nil is no alarm, and no refusal
			}
			refusal(calls[name])
			if g.op != g.restOp {
				t.Errorf("after %s it is inside %v", name, g.op)
			}
		}
	}
}

// The flag for the lock that was waited for stands for that one and no other.
func TestAFiberThatHasWaitedForOneLockCanOwnAnother(t *testing.T) {
	var told []string
	g := newTestScheduler(t, Config{})
	waited, other := &testLock{ownerHook: ownerHook{name: "waited for", told: &told}}, &ownerHook{name: "other", told: &told}
	first, second := g.spawnRunning(Options{}), fiber.RegularID(0)
	g.waitFor(first, waited)
	g.Attachments().Own(other)
	g.YieldCurrent()
	second = g.spawnRunning(Options{})
	g.waitFor(second, waited)
	g.Attachments().Own(waited)
	g.KillCurrent()
	g.mount(first)
	g.KillCurrent()
	if want := []string{"waited for of " + second.ID().String(), "other of " + first.ID().String()}; len(told) != 2 || told[0] != want[0] || told[1] != want[1] {
		t.Errorf("told %q, not %q", told, want)
	}
}
