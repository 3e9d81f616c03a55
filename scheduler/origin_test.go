package scheduler

import (
	"errors"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// joins spawns a fiber that waits for the end of another, which it holds by its cell.
func (g *testScheduler) joins(cell *ioqueue.Cell) fiber.Ticket {
	g.t.Helper()
	g.spawnRunning(Options{})
	ticket := g.Arm(fiber.OnQueue(), cell.Source())
	if err := cell.Park(ticket, 0); err != nil {
		g.t.Fatal(err)
	}
	g.Block()
	return ticket
}

func TestAJoinerReceivesTheResultOfAFiberThatMoved(t *testing.T) {
	home, remote := two(t)
	cell := new(ioqueue.Cell)
	told := ""
	id := home.spawnReady(Options{Movable: true, Cell: cell, Ended: func(result any, err error) { told = fmt.Sprint(result, err) }})
	joiner := home.joins(cell)
	home.idles(Busy)
	there := home.movesTo(remote, id)
	home.idles(Waiting)
	if !home.Steps().IdleVerdictWithReport().OnlyMoved {
		t.Fatal("it does not say that nothing else is waited for")
	}
	if r := home.Inspect().Report(); len(r.Stuck) > 0 {
		t.Fatalf("stuck: %v", r)
	}
	remote.mount(there)
	_, _ = remote.Exit("done", nil)
	home.is(joiner.ID, fiber.Blocked)
	home.Poll()
	home.is(joiner.ID, fiber.Runnable)
	if v, err, done := cell.Result(); v != "done" || err != nil || !done || told != "done<nil>" {
		t.Fatalf("the cell has %v, %v, %v; Ended was told %q", v, err, done, told)
	}
}

func TestAnEndIsReportedToTheOriginAfterAnyNumberOfMoves(t *testing.T) {
	home, remote := two(t)
	farther := newTestScheduler(t, Config{Number: 3})
	cell := new(ioqueue.Cell)
	id := home.spawnReady(Options{Movable: true, Cell: cell})
	there := home.movesTo(remote, id)
	last := remote.movesTo(farther, there)
	_ = farther.Kill(last.ID(), errors.New("enough"))
	farther.Poll()
	home.Poll()
	if _, err, done := cell.Result(); !done || !errors.Is(err, ErrKilled) {
		t.Fatalf("the cell: %v, %v", err, done)
	}
}

// A joiner of a fiber that has come back is deadlocked if that fiber is.
func TestAFiberThatComesBackIsHeldByItsCellAgain(t *testing.T) {
	home, remote := two(t)
	cell := new(ioqueue.Cell)
	id := home.spawnReady(Options{Movable: true, Cell: cell})
	joiner := home.joins(cell)
	back := remote.movesTo(home, home.movesTo(remote, id))
	if cell.Owner() != back.ID() {
		t.Fatalf("the cell is of %v, not of %v", cell.Owner(), back)
	}
	home.mount(back)
	home.blockIn(fiber.OnQueue())
	home.idles(Deadlock)
	_ = home.Kill(back.ID(), nil)
	home.is(joiner.ID, fiber.Runnable)
}

func TestItsOldIDSaysThatAFiberHasMoved(t *testing.T) {
	home, remote := two(t)
	id := home.spawnReady(Options{Movable: true, Cell: new(ioqueue.Cell)})
	home.movesTo(remote, id)
	for name, err := range map[string]error{
		"Cancel": home.Cancel(id.ID(), nil), "Kill": home.Kill(id.ID(), nil), "SetName": home.Attachments().SetName(id.ID(), "x"),
		"MoveOut": func() error { _, err := home.Moves().MoveOut(id); return err }(),
	} {
		if !errors.Is(err, ErrMovedOut) || !errors.Is(err, ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The fiber has no joiner: nothing keeps the run from being over.
func TestAMovedFiberWithoutJoinersKeepsNoRunAlive(t *testing.T) {
	home, remote := two(t)
	home.movesTo(remote, home.spawnReady(Options{Movable: true, Cell: new(ioqueue.Cell)}))
	home.idles(Done)
	home.spawnBlocked(Options{}, fiber.OnQueue())
	home.idles(Deadlock)
}

func TestAnUnreadFailureOfAMovedFiberIsReportedAtItsOrigin(t *testing.T) {
	var atHome, elsewhere []string
	note := func(list *[]string) func(*UnobservedError) {
		return func(e *UnobservedError) { *list = append(*list, e.Error()) }
	}
	home := newTestScheduler(t, Config{Number: 1, Unobserved: note(&atHome)})
	remote := newTestScheduler(t, Config{Number: 2, Unobserved: note(&elsewhere)})
	fails := func(o Options) {
		there := home.movesTo(remote, home.spawnReady(o))
		remote.mount(there)
		_, _ = remote.Exit(nil, errors.New("no bread"))
	}
	fails(Options{Movable: true, Name: "with a cell", Cell: new(ioqueue.Cell)})
	fails(Options{Movable: true, Name: "with Ended", Ended: func(any, error) {}})
	fails(Options{Movable: true, Name: "with nobody"})
	home.Poll()
	home.Steps().ReportUnobserved()
	remote.Steps().ReportUnobserved()
	if want := `[fiber f0.1 "with a cell" failed and nothing joined it: no bread]`; fmt.Sprint(atHome) != want {
		t.Errorf("told at home: %v", atHome)
	}
	if len(elsewhere) != 1 {
		t.Errorf("told elsewhere: %v", elsewhere)
	}
}

func TestAJoinerOfAnAbandonedFiberReceivesAKill(t *testing.T) {
	home := newTestScheduler(t, Config{})
	cell := new(ioqueue.Cell)
	id := home.spawnReady(Options{Movable: true, Cell: cell})
	joiner := home.joins(cell)
	m, _ := home.Moves().MoveOut(id)
	m.Abandon(errors.New("the ship sank"))
	home.wakesWith(root(joiner.ID), fiber.OK)
	if _, err, _ := cell.Result(); !errors.Is(err, ErrKilled) || err.Error() != "scheduler: fiber killed: the ship sank" {
		t.Fatalf("the cell: %v", err)
	}
	home.KillCurrent()
	plain, _ := home.Moves().MoveOut(home.spawnReady(Options{Movable: true}))
	plain.Abandon(nil) // no joiner receives it
}

func TestTheEndOfAFiberWhoseOriginIsClosedIsDropped(t *testing.T) {
	home, remote := two(t)
	there := home.movesTo(remote, home.spawnReady(Options{Movable: true, Cell: new(ioqueue.Cell)}))
	home.Close()
	remote.mount(there)
	remote.KillCurrent()
}

// Others have filled the inbox: the end of a fiber is posted once, and must not be lost.
func TestAnEndReachesItsOriginThroughAFullInbox(t *testing.T) {
	home, remote := newTestScheduler(t, Config{Number: 1, MaxCommands: 1}), newTestScheduler(t, Config{Number: 2})
	cell := new(ioqueue.Cell)
	there := home.movesTo(remote, home.spawnReady(Options{Movable: true, Cell: cell}))
	_ = home.Inbox().Kill(0, nil)
	if err := home.Inbox().Kill(0, nil); !errors.Is(err, ErrInboxFull) {
		t.Fatal(err)
	}
	remote.mount(there)
	remote.KillCurrent()
	home.Poll()
	if !cell.Completed() {
		t.Fatal("nobody heard of it")
	}
}
