package scheduler

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/wait"
)

func TestAJoinByIDReachesTheFiberAsLongAsItLives(t *testing.T) {
	g := newTestScheduler(t, Config{})
	asked, plain := new(ioqueue.Cell), g.spawnReady(Options{})
	with := g.spawnReady(Options{Cell: asked})
	if cell, err := g.Attachments().Cell(with); cell != asked || err != nil {
		t.Fatalf("it has a cell, and %p is another: %v", cell, err)
	}
	made, err := g.Attachments().Cell(plain)
	if again, _ := g.Attachments().Cell(plain); err != nil || made != again || made.Source().(fiber.Described).Describe() != "the end of f0.1" {
		t.Fatalf("%v, %v; asked again: %v", made.Source().(fiber.Described).Describe(), err, again)
	}
	if _, err := wait.JoinOn(made, plain.ID()); err == nil {
		t.Fatal("a fiber joins itself")
	}
	g.mount(plain)
	g.Exit(42, nil)
	if v, err, done := made.Result(); v != 42 || err != nil || !done {
		t.Fatalf("%v, %v, %v", v, err, done)
	}
}

func TestAJoinByAStaleIDIsGone(t *testing.T) {
	g := newTestScheduler(t, Config{})
	ended := g.spawnRunning(Options{Cell: new(ioqueue.Cell)})
	g.Exit(1, nil)
	for _, who := range []string{"nobody", "a later fiber"} {
		for _, id := range []fiber.RegularID{ended, fiber.NewRegularID(9, 1), 0} {
			g.untouched(ErrGone, func() error { _, err := g.Attachments().Cell(id); return err })
		}
		if who == "nobody" {
			g.spawnReady(Options{})
		}
	}
}

func TestTwoFibersCannotHaveOneCell(t *testing.T) {
	g, other := newTestScheduler(t, Config{}), newTestScheduler(t, Config{Number: 7})
	shared, done, foreign := new(ioqueue.Cell), new(ioqueue.Cell), new(ioqueue.Cell)
	first := g.spawnReady(Options{Cell: shared})
	done.Complete(1, nil, nil)
	foreign.Source().Anchored().Bind(other.Inspect().Number(), 0)
	for name, cell := range map[string]*ioqueue.Cell{"another's": shared, "completed": done, "foreign": foreign} {
		t.Run(name, func(t *testing.T) {
			g.untouched(ErrCellTaken, func() error { _, err := g.SpawnWith(0, Options{Cell: cell, Name: "second"}); return err })
		})
	}
	g.mount(first)
	g.Exit("its own", nil)
	if v, _, _ := shared.Result(); v != "its own" {
		t.Fatalf("the cell holds %v", v)
	}
}
