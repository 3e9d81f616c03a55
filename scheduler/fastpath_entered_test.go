//go:build invariants

package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// hotOperations are those that run in every slice. Each leads the current fiber, whose last wait was on
// the testLock, to where the operation is called, and returns the operation.
var hotOperations = map[string]func(g *testScheduler, id fiber.RegularID, v *testLock) func(){
	"yield": func(g *testScheduler, _ fiber.RegularID, _ *testLock) func() { return g.YieldCurrent },
	"arm":   func(g *testScheduler, _ fiber.RegularID, v *testLock) func() { return func() { g.ArmOn(v) } },
	"block": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() { return func() { g.BlockOn(v) } },
	"own": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		g.Attachments().Own(v)
		g.Attachments().Disown(v)
		return func() { g.Attachments().Own(v) }
	},
	"disown": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		g.Attachments().Own(v)
		return func() { g.Attachments().Disown(v) }
	},
	"submit": func(g *testScheduler, _ fiber.RegularID, _ *testLock) func() {
		g.submit()
		return func() { g.submit() }
	},
	"acquire": func(g *testScheduler, _ fiber.RegularID, _ *testLock) func() {
		g.ReleaseTrampoline(g.call())
		return func() { g.call() }
	},
	"release": func(g *testScheduler, _ fiber.RegularID, _ *testLock) func() {
		call := g.call()
		return func() { g.ReleaseTrampoline(call) }
	},
	"block in what is armed": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		v.park(g.ArmOn(v))
		return func() { g.Block() }
	},
	"arm on another object": func(g *testScheduler, id fiber.RegularID, v *testLock) func() {
		other := new(testLock)
		g.YieldCurrent()
		g.waitFor(g.spawnRunning(Options{}), other) // so that it is known here
		g.YieldCurrent()
		g.mount(id)
		return func() { g.ArmOn(other) }
	},
	"a result from the object": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		ticket, _ := g.BlockOn(v)
		return func() { g.Apply(fiber.Wakeup{Ticket: ticket, Result: ok, From: v.Slot()}) }
	},
	"a refusal from it": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		ticket, _ := g.BlockOn(v)
		return func() {
			g.Apply(fiber.Wakeup{Ticket: ticket, Result: fiber.Result{Code: fiber.Failed}, From: v.Slot()})
		}
	},
	"claim": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		ticket, _ := g.BlockOn(v)
		g.Apply(fiber.Wakeup{Ticket: ticket, Result: ok, From: v.Slot()})
		g.next()
		return func() { g.Claim() }
	},
	"arm for nothing":   afresh(func(g *testScheduler) func() { return func() { g.ArmForQueue() } }),
	"block for nothing": afresh(func(g *testScheduler) func() { return func() { g.BlockForQueue() } }),
	"a result by ticket": afresh(func(g *testScheduler) func() {
		ticket, _ := g.BlockForQueue()
		return func() { g.Deliver(ticket, ok) }
	}),
	"a refusal by ticket": afresh(func(g *testScheduler) func() {
		ticket, _ := g.BlockForQueue()
		return func() { g.Deliver(ticket, fiber.Result{Code: fiber.Failed}) }
	}),
	"spawn in the slot of a dead fiber": afresh(func(g *testScheduler) func() {
		g.KillCurrent()
		return func() { _, _ = g.Spawn(0) }
	}),
	"block for an operation": func(g *testScheduler, _ fiber.RegularID, v *testLock) func() {
		tok := g.submit()
		g.BlockForIO(tok)
		g.Ops().Complete(tok, ioqueue.Completion{})
		g.next()
		g.Claim()
		tok = g.submit()
		return func() { g.BlockForIO(tok) }
	},
}

// afresh does it in a fiber that has waited for nothing yet.
func afresh(ready func(g *testScheduler) func()) func(*testScheduler, fiber.RegularID, *testLock) func() {
	return func(g *testScheduler, _ fiber.RegularID, _ *testLock) func() {
		g.YieldCurrent()
		g.spawnRunning(Options{})
		return ready(g)
	}
}

// Each has a fast path without the steps that such a wait, delivery or call cannot need. The
// slow path reaches the same state, so that only this test and the clock tell them apart.
func TestHotOperationsTakeTheirFastPath(t *testing.T) {
	for kind, o := range map[string]Options{"bare": {}, "with a record": {Name: "named"}} {
		for name, ready := range hotOperations {
			t.Run(kind+"/"+name, func(t *testing.T) {
				g, v := newTestScheduler(t, Config{}), new(testLock)
				id := g.spawnRunning(o)
				g.waitFor(id, v)
				op := ready(g, id, v)
				before := g.entered
				op()
				if n := g.entered - before; n > 0 {
					t.Errorf("%d general operations", n)
				}
			})
		}
	}
}
