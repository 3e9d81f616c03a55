package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// waitOperations are all ways into a wait, for a fiber that has kept the object and has
// submitted the operation.
var waitOperations = map[string]func(g *testScheduler, b *fakeSource, tok fiber.Token) Blocking{
	"Arm": func(g *testScheduler, b *fakeSource, _ fiber.Token) Blocking {
		b.park(g.Arm(fiber.OnQueue(), b))
		return g.Block()
	},
	"ArmOn": func(g *testScheduler, b *fakeSource, _ fiber.Token) Blocking {
		b.park(g.ArmOn(b))
		return g.Block()
	},
	"BlockOn": func(g *testScheduler, b *fakeSource, _ fiber.Token) Blocking {
		t, how := g.BlockOn(b)
		if how == Parked {
			b.park(t)
		}
		return how
	},
	"ArmForQueue": func(g *testScheduler, _ *fakeSource, _ fiber.Token) Blocking {
		g.ArmForQueue()
		return g.Block()
	},
	"BlockForQueue": func(g *testScheduler, _ *fakeSource, _ fiber.Token) Blocking {
		_, how := g.BlockForQueue()
		return how
	},
	"BlockForIO": func(g *testScheduler, _ *fakeSource, tok fiber.Token) Blocking { return g.BlockForIO(tok) },
	"Finish": func(g *testScheduler, _ *fakeSource, _ fiber.Token) Blocking {
		id := g.Current()
		if g.Finish(fiber.BlockOn(fiber.OnQueue())) {
			return Interrupted
		}
		g.is(id, fiber.Blocked)
		return Parked
	},
}

// A fiber that has to unwind waits for nothing, whichever operation it uses.
func TestEveryWaitOfAnInterruptedFiberEndsAtOnce(t *testing.T) {
	for way, in := range waitOperations {
		for name, c := range map[string]struct {
			before func(g *testScheduler)
			code   fiber.Code
		}{
			"nothing":   {func(*testScheduler) {}, fiber.Pending},
			"a cancel":  {func(g *testScheduler) { _ = g.Cancel(g.Current(), nil) }, fiber.Cancelled},
			"a kill":    {func(g *testScheduler) { _ = g.Kill(g.Current(), nil) }, fiber.Killed},
			"a Fatal":   {func(g *testScheduler) { g.Unwind().BeginPanic(panicstate.Fatal, 1, "") }, fiber.Killed},
			"a masked":  {func(g *testScheduler) { g.Unwind().Mask(); _ = g.Cancel(g.Current(), nil) }, fiber.Pending},
			"its calls": {func(g *testScheduler) { g.ReleaseTrampoline(g.call()) }, fiber.Pending},
		} {
			for _, record := range []bool{false, true} {
				t.Run(way+" after "+name, func(t *testing.T) {
					g, b := newTestScheduler(t, Config{}), new(fakeSource)
					g.warmUp(1)
					id := g.spawnRunning(Options{Frames: true})
					w, _ := g.BlockOn(b)
					b.park(w)
					g.Apply(fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()})
					g.wakesWith(id, fiber.OK)
					var tok fiber.Token
					if record || way == "BlockForIO" {
						tok = g.submit()
						g.waitAndWake(id)
					}
					c.before(g)
					how := in(g, b, tok)
					if interrupted := c.code != fiber.Pending; (how == Interrupted) != interrupted {
						t.Fatalf("%v", how)
					}
					g.Inspect().Verify()
					if how == Interrupted {
						g.claims(c.code)
						if len(b.waiting) > 0 {
							t.Error("the object still has it")
						}
					}
				})
			}
		}
	}
}

// waitAndWake has the fiber wait for nothing in particular, so that it keeps nothing.
func (g *testScheduler) waitAndWake(id fiber.RegularID) {
	t, _ := g.BlockForQueue()
	g.delivers(t, fiber.Woken)
	g.wakesWith(id, fiber.OK)
}
