package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// A fiber that has been served by an object keeps it at hand for its next wait. If that is
// for nobody, the object is none of its sources: no report names it, and whoever knows the
// fiber may wake it.
func TestAPlainWaitIsNotOnTheObjectOfTheWaitBefore(t *testing.T) {
	for name, arm := range map[string]func(g *testScheduler){
		"armed and blocked": func(g *testScheduler) { g.ArmForQueue(); g.Block() },
		"in one step":       func(g *testScheduler) { g.BlockForQueue() },
	} {
		t.Run(name, func(t *testing.T) {
			g, b := newTestScheduler(t, Config{}), &fakeSource{name: "box"}
			id := g.spawnRunning(Options{})
			ticket := g.blockIn(fiber.OnQueue(), b)
			b.match()
			g.delivers(ticket, fiber.Woken)
			g.wakesWith(id, fiber.OK)
			arm(g)
			if on := g.Inspect().Report().Stuck[0].Fibers[0].On; len(on) != 0 {
				t.Errorf("it waits on %v", on)
			}
			g.Wake(id.ID())
			g.is(id.ID(), fiber.Runnable)
			g.Inspect().Verify()
		})
	}
}
