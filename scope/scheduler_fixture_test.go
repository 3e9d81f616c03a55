package scope

import (
	"errors"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
	"github.com/selvage-dev/selvage/scheduler"
)

var errWhy, errOther = errors.New("why"), errors.New("other")

// stage is a real scheduler, whose fibers do what the story says when it is their turn.
type stage struct {
	*scheduler.Scheduler[int]
	t     *testing.T
	clock *scheduler.VirtualClock
	cells map[fiber.ID]*ioqueue.Cell
}

func newStage(t *testing.T, grace fiber.Time) *stage {
	g := &stage{t: t, clock: scheduler.NewVirtualClock(), cells: map[fiber.ID]*ioqueue.Cell{}}
	g.Scheduler = scheduler.New[int](scheduler.Config{Clock: g.clock, Grace: time.Duration(grace)})
	t.Cleanup(func() {
		if !t.Failed() {
			g.Inspect().Verify()
		}
	})
	return g
}

// actor spawns a fiber on its own and runs it.
func (g *stage) actor() fiber.ID {
	g.t.Helper()
	id, err := g.SpawnWith(0, scheduler.Options{})
	g.must(err)
	g.mount(id.ID())
	return id.ID()
}

// open has a new fiber open a scope; it goes on running.
func (g *stage) open(o Options, deadline fiber.Time) *Scope {
	g.t.Helper()
	g.actor()
	return Open(&g.Core, o, deadline)
}

// worker spawns a fiber into the scope.
func (g *stage) worker(s *Scope, name string) fiber.ID {
	g.t.Helper()
	return g.workerWith(s, scheduler.Options{Name: name})
}

func (g *stage) workerWith(s *Scope, o scheduler.Options) fiber.ID {
	g.t.Helper()
	o.Cell = new(ioqueue.Cell)
	id, err := Spawn(g.Scheduler, s, 0, o)
	g.must(err)
	g.cells[id.ID()] = o.Cell
	return id.ID()
}

// mount runs this very fiber; fibers ahead of it yield.
func (g *stage) mount(id fiber.ID) {
	g.t.Helper()
	for range 2 * (g.Inspect().Live() + 1) {
		if g.Current() == id {
			return
		}
		if g.Current() != 0 {
			g.YieldCurrent()
		}
		if g.ScheduleNext() == nil && (!g.Poll() || g.ScheduleNext() == nil) {
			break
		}
	}
	if g.Current() != id {
		g.t.Fatalf("%v is not ready:\n%s", id, g.Inspect().Dump())
	}
}

// sleep has a fiber wait for nothing.
func (g *stage) sleep(id fiber.ID) {
	g.t.Helper()
	g.mount(id)
	g.BlockForQueue()
}

// ends has a fiber end so.
func (g *stage) ends(id fiber.ID, result any, err error) {
	g.t.Helper()
	g.mount(id)
	g.Exit(result, err)
}

// obeys has a fiber that was told to unwind do so.
func (g *stage) obeys(id fiber.ID) {
	g.t.Helper()
	g.ends(id, nil, g.Unwind().Cause(id))
}

// waits has the owner of the scope wait for it.
func (g *stage) waits(s *Scope) {
	g.t.Helper()
	g.mount(s.Owner())
	if s.Try() {
		g.t.Fatalf("%s has ended", s.Source().(fiber.Described).Describe())
	}
	t := g.Arm(s.Reason(), s.Source())
	g.must(s.Park(t))
	g.Block()
}

// resumes has the owner of the scope look at how its wait ended.
func (g *stage) resumes(s *Scope, want fiber.Code) {
	g.t.Helper()
	g.mount(s.Owner())
	t, res := g.Claim()
	if res.Code != want {
		g.t.Fatalf("the owner was resumed with %v, not %v", res.Code, want)
	}
	s.Collect(t, res)
}

// closes has the owner of the scope, which has ended, close it.
func (g *stage) closes(s *Scope) (any, error) {
	g.t.Helper()
	g.mount(s.Owner())
	if !s.Try() {
		g.t.Fatalf("%s has not ended:\n%s", s.Source().(fiber.Described).Describe(), g.Inspect().Dump())
	}
	return s.Close()
}

// at moves the clock and polls.
func (g *stage) at(now fiber.Time) {
	g.clock.Advance(now)
	g.Poll()
}

// cancelled checks that these were cancelled with the cause.
func (g *stage) cancelled(cause error, ids ...fiber.ID) {
	g.t.Helper()
	for _, id := range ids {
		if got := g.Unwind().Cause(id); !errors.Is(got, cause) || cause == nil && got != nil {
			g.t.Errorf("%v was cancelled with %v, want %v", id, got, cause)
		}
	}
}

func (g *stage) is(what string, got, want any) {
	g.t.Helper()
	if got != want {
		g.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (g *stage) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *stage) fails(err, want error) {
	g.t.Helper()
	if !errors.Is(err, want) {
		g.t.Errorf("got %v, want %v", err, want)
	}
}

// next checks that this fiber is the next to run, and runs it.
func (g *stage) next(id fiber.ID) {
	g.t.Helper()
	if g.ScheduleNext() == nil {
		g.Poll()
		g.ScheduleNext()
	}
	g.is("the next to run", g.Current(), id)
}
