package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/panicstate"
)

// waysIn are all there are into a wait, for a fiber that has kept the object and has
// submitted the operation.
var waysIn = map[string]func(g *stage, b *box, tok fiber.Token) Blocking{
	"Arm": func(g *stage, b *box, _ fiber.Token) Blocking {
		b.park(g.Arm(fiber.OnQueue(), b))
		return g.Block()
	},
	"ArmOn": func(g *stage, b *box, _ fiber.Token) Blocking {
		b.park(g.ArmOn(b))
		return g.Block()
	},
	"BlockOn": func(g *stage, b *box, _ fiber.Token) Blocking {
		t, how := g.BlockOn(b)
		if how == Parked {
			b.park(t)
		}
		return how
	},
	"ArmForQueue": func(g *stage, _ *box, _ fiber.Token) Blocking {
		g.ArmForQueue()
		return g.Block()
	},
	"BlockForQueue": func(g *stage, _ *box, _ fiber.Token) Blocking {
		_, how := g.BlockForQueue()
		return how
	},
	"BlockForIO": func(g *stage, _ *box, tok fiber.Token) Blocking { return g.BlockForIO(tok) },
	"Finish": func(g *stage, _ *box, _ fiber.Token) Blocking {
		id := g.Current()
		if g.Finish(fiber.BlockOn(fiber.OnQueue())) {
			return Interrupted
		}
		g.is(id, fiber.Blocked)
		return Parked
	},
}

// Who is to unwind waits for nothing any more, whichever way it tries.
func TestNoWayIntoAWaitKeepsWhoIsToUnwind(t *testing.T) {
	for way, in := range waysIn {
		for name, c := range map[string]struct {
			sentence func(g *stage)
			code     fiber.Code
		}{
			"nothing":   {func(*stage) {}, fiber.Pending},
			"a cancel":  {func(g *stage) { _ = g.Cancel(g.Current(), nil) }, fiber.Cancelled},
			"a kill":    {func(g *stage) { _ = g.Kill(g.Current(), nil) }, fiber.Killed},
			"a Fatal":   {func(g *stage) { g.Unwind().BeginPanic(panicstate.Fatal, 1, "") }, fiber.Killed},
			"a masked":  {func(g *stage) { g.Unwind().Mask(); _ = g.Cancel(g.Current(), nil) }, fiber.Pending},
			"its calls": {func(g *stage) { g.ReleaseTrampoline(g.call()) }, fiber.Pending},
		} {
			for _, record := range []bool{false, true} {
				t.Run(way+" after "+name, func(t *testing.T) {
					g, b := newStage(t, Config{}), new(box)
					g.worn(1)
					id := g.actor(Options{Frames: true})
					w, _ := g.BlockOn(b)
					b.park(w)
					g.Apply(fiber.Wakeup{Ticket: b.match(), Result: ok, From: b.Slot()})
					g.wakesWith(id, fiber.OK)
					var tok fiber.Token
					if record || way == "BlockForIO" {
						tok = g.submit()
						g.waitAndWake(id)
					}
					c.sentence(g)
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
func (g *stage) waitAndWake(id fiber.RegularID) {
	t, _ := g.BlockForQueue()
	g.delivers(t, fiber.Woken)
	g.wakesWith(id, fiber.OK)
}
