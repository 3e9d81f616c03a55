package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// A token that goes to a cell is one that its fiber cannot await any more, so an observer
// must see it. A refused attempt is not reported.
func TestAnObserverSeesThatATokenWasAttached(t *testing.T) {
	var heard []Transition
	g := newTestScheduler(t, Config{Observer: func(tr Transition) { heard = append(heard, tr) }})
	g.spawnRunning(Options{})
	tok := g.submit()
	heard = nil
	for range 2 {
		_ = g.Ops().Attach(tok, new(ioqueue.Cell)) // the second time it is refused
	}
	if len(heard) != 1 || heard[0].Op != op.Submit || heard[0].Token != tok || heard[0].Answer != ioqueue.Attached.String() {
		t.Errorf("heard %+v", heard)
	}
}

// The completion came first: a fiber that waits on the cell is ready when the call returns, not
// when the scheduler is next called.
func TestACompletedTokenWakesTheWaitersOfItsCell(t *testing.T) {
	g, cell := newTestScheduler(t, Config{}), new(ioqueue.Cell)
	g.spawnRunning(Options{})
	cell.Park(g.Arm(fiber.OnQueue(), cell.Source()), 0)
	g.Block()
	g.spawnRunning(Options{})
	tok := g.submit()
	g.Ops().Complete(tok, ioqueue.Completion{})
	if err := g.Ops().Attach(tok, cell); err != nil {
		t.Fatal(err)
	}
	if g.run().len() != 1 {
		t.Error("the waiter is not ready")
	}
}
