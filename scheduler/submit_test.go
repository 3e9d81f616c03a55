package scheduler

import (
	"errors"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// queues has the current fiber wait for room.
func (g *testScheduler) queues() fiber.Ticket {
	g.t.Helper()
	t := g.Arm(fiber.OnQueue(), g.Ops().Room().Source())
	if err := g.Ops().Room().Park(t, 0); err != nil {
		g.t.Fatal(err)
	}
	g.Block()
	return t
}

// A fiber that is to unwind submits nothing more; its place is the next one's.
func TestThePlaceOfAFiberThatWasKilledGoesToTheNextInLine(t *testing.T) {
	g := newTestScheduler(t, Config{MaxTokens: 1})
	working := g.spawnRunning(Options{})
	tok := g.submit()
	g.YieldCurrent()
	first := g.spawnRunning(Options{Frames: true})
	ticket := g.queues()
	second := g.spawnRunning(Options{})
	g.queues()
	g.mount(working)
	g.Ops().Complete(tok, ioqueue.Completion{})
	g.Ops().Completion(tok) // the first in line is let in
	g.YieldCurrent()
	if err := g.Core.Kill(first.ID(), nil); err != nil {
		t.Fatal(err)
	}
	g.mount(first)
	g.Claim()
	if tok, err := g.Ops().SubmitReserved(ticket); !errors.Is(err, ErrKilled) || tok != 0 {
		t.Fatalf("got %v, %v", tok, err)
	}
	g.is(second.ID(), fiber.Runnable)
	if _, err := g.KillCurrent(); !errors.Is(err, ErrKilled) {
		t.Fatal(err)
	}
	g.mount(second)
	got, _ := g.Claim()
	if tok, err := g.Ops().SubmitReserved(ticket); !errors.Is(err, ioqueue.ErrNoRoom) || tok != 0 {
		t.Fatalf("with a ticket of another: %v, %v", tok, err)
	}
	if _, err := g.Ops().SubmitReserved(got); err != nil {
		t.Fatal(err)
	}
}
