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

// withTwoCells is a fiber that has a cell at home, and another one in the scheduler that it has
// moved to.
func withTwoCells(t *testing.T, home, remote *testScheduler) (there fiber.RegularID, cells [2]*ioqueue.Cell) {
	t.Helper()
	cells[0] = new(ioqueue.Cell)
	there = home.movesTo(remote, home.spawnReady(Options{Movable: true, Cell: cells[0]}))
	var err error
	if cells[1], err = remote.Attachments().Cell(there); err != nil {
		t.Fatal(err)
	}
	return there, cells
}

// A fiber can have a joiner in each scheduler that it was in. Each receives its end, whichever way
// the fiber goes and however it ends.
func TestAnEndIsReportedToEveryOrigin(t *testing.T) {
	type world struct{ home, remote, farther *testScheduler }
	exits := func(s *testScheduler, id fiber.RegularID) {
		s.mount(id)
		_, _ = s.Exit("done", nil)
	}
	for name, ends := range map[string]func(w world, there fiber.RegularID){
		"where it has no joiner": func(w world, there fiber.RegularID) { exits(w.farther, w.remote.movesTo(w.farther, there)) },
		"in the second":          func(w world, there fiber.RegularID) { exits(w.remote, there) },
		"back in the first":      func(w world, there fiber.RegularID) { exits(w.home, w.remote.movesTo(w.home, there)) },
		"back in the second": func(w world, there fiber.RegularID) {
			exits(w.remote, w.farther.movesTo(w.remote, w.remote.movesTo(w.farther, there)))
		},
		"back in the first by a way": func(w world, there fiber.RegularID) {
			exits(w.home, w.farther.movesTo(w.home, w.remote.movesTo(w.farther, there)))
		},
		"after it was back in the first": func(w world, there fiber.RegularID) {
			exits(w.farther, w.home.movesTo(w.farther, w.remote.movesTo(w.home, there)))
		},
		"abandoned": func(w world, there fiber.RegularID) {
			m, err := w.remote.Moves().MoveOut(there)
			if err != nil {
				w.home.t.Fatal(err)
			}
			m.Abandon(nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			home, remote := two(t)
			farther := newTestScheduler(t, Config{Number: 3})
			there, cells := withTwoCells(t, home, remote)
			joiners := []fiber.Ticket{home.joins(cells[0]), remote.joins(cells[1])}
			ends(world{home, remote, farther}, there)
			for k, s := range []*testScheduler{home, remote} {
				s.Poll()
				s.is(joiners[k].ID, fiber.Runnable)
				v, err, done := cells[k].Result()
				if !done || v != "done" && !errors.Is(err, ErrKilled) {
					t.Errorf("cell %d: %v, %v, %v", k, v, err, done)
				}
				if n := len(s.departed); n > 0 {
					t.Errorf("scheduler %d still expects %d ends", k, n)
				}
			}
		})
	}
}

// The schedulers cannot know whether the cell of another was read, so one of them reports: that in
// which the first joiner is.
func TestAnUnreadFailureIsReportedAtOneOrigin(t *testing.T) {
	var reports []string
	at := func(name string, number uint16) *testScheduler {
		return newTestScheduler(t, Config{Number: number, Unobserved: func(e *UnobservedError) { reports = append(reports, name) }})
	}
	home, remote, farther := at("home", 1), at("remote", 2), at("farther", 3)
	there, _ := withTwoCells(t, home, remote)
	last := remote.movesTo(farther, there)
	farther.mount(last)
	_, _ = farther.Exit(nil, errors.New("no bread"))
	for _, s := range []*testScheduler{home, remote, farther} {
		s.Poll()
		s.Steps().ReportUnobserved()
	}
	if fmt.Sprint(reports) != "[home]" {
		t.Fatalf("reported at %v", reports)
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
