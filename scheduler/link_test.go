package scheduler

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/op"
	"github.com/selvage-dev/selvage/ioqueue"
)

// testLink records the deaths it receives and returns the case's decisions.
type testLink struct {
	name   string
	told   *[]string
	wakes  []fiber.Wakeup
	orders []fiber.Order
}

func (b *testLink) Died(d fiber.Death, wakes []fiber.Wakeup, orders []fiber.Order) ([]fiber.Wakeup, []fiber.Order) {
	*b.told = append(*b.told, fmt.Sprintf("%s: %v %v %v, cause %v, killed %v", b.name, d.ID, d.Result, d.Err, d.Cause, d.Killed))
	return append(wakes, b.wakes...), append(orders, b.orders...)
}

func TestALinkReceivesHowItsFiberEnded(t *testing.T) {
	for name, c := range map[string]struct {
		die  func(g *testScheduler, id fiber.ID)
		told string
	}{
		"returns": {func(g *testScheduler, id fiber.ID) { g.Exit(1, nil) }, "1 <nil>, cause <nil>, killed false"},
		"fails":   {func(g *testScheduler, id fiber.ID) { g.Exit(nil, errWhy) }, "<nil> why, cause <nil>, killed false"},
		"cancelled": {func(g *testScheduler, id fiber.ID) {
			g.Cancel(id, errWhy)
			g.Exit(nil, errors.New("left"))
		}, "<nil> left, cause why, killed false"},
		"killed blocked": {func(g *testScheduler, id fiber.ID) {
			g.blockIn(fiber.OnQueue())
			g.Kill(id, nil)
		}, "<nil> " + ErrKilled.Error() + ", cause <nil>, killed true"},
		"killed running": {func(g *testScheduler, id fiber.ID) {
			g.Kill(id, nil)
			g.KillCurrent()
		}, "<nil> " + ErrKilled.Error() + ", cause " + ErrKilled.Error() + ", killed true"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newTestScheduler(t, Config{})
			var told []string
			id := g.spawnRunning(Options{Link: &testLink{name: "born with", told: &told}}).ID()
			later, gone := &testLink{name: "later", told: &told}, &testLink{name: "unlinked", told: &told}
			g.Attachments().Link(later)
			g.Attachments().Link(gone)
			g.Attachments().Unlink(gone)
			g.Attachments().Unlink(gone) // twice is once
			c.die(g, id)
			if want := []string{"later: f0.1 " + c.told, "born with: f0.1 " + c.told}; !slices.Equal(told, want) {
				t.Fatalf("told %q, want %q", told, want)
			}
			g.spawnRunning(Options{})
			g.KillCurrent()
			if len(told) != 2 {
				t.Fatalf("the slot's next fiber has the link too: %v", told)
			}
		})
	}
}

func TestOnlyAFiberThatRunsHasLinks(t *testing.T) {
	g := newTestScheduler(t, Config{})
	b := &testLink{name: "nobody's"}
	for _, call := range []func(){func() { g.Attachments().Link(b) }, func() { g.Attachments().Unlink(b) }} {
		if e := refusal(call); e == nil || e.Op != op.Own {
			t.Errorf("between two slices: %v", e)
		}
	}
}

func TestOrdersOfALinkAreCarriedOutInTheSameOperationAfterItsWakeUps(t *testing.T) {
	g := newTestScheduler(t, Config{})
	var told []string
	cancelled, killed, woken := g.spawnBlocked(Options{Frames: true}, fiber.OnQueue()), g.spawnBlocked(Options{}, fiber.OnQueue()), g.spawnBlocked(Options{}, fiber.OnQueue())
	g.spawnRunning(Options{Link: &testLink{
		name: "link", told: &told,
		wakes: []fiber.Wakeup{{Ticket: woken, Result: ok}},
		orders: []fiber.Order{
			{ID: cancelled.ID, Cause: errWhy},
			{ID: killed.ID, Kill: true},
			{ID: killed.ID}, {ID: killed.ID, Kill: true}, // gone: nothing
		},
	}})
	g.KillCurrent()
	g.is(killed.ID, fiber.Dead)
	if g.Unwind().Cause(cancelled.ID) != errWhy {
		t.Fatalf("cause %v", g.Unwind().Cause(cancelled.ID))
	}
	if got, want := g.wakeOrder(), []fiber.ID{woken.ID, cancelled.ID}; !slices.Equal(got, want) {
		t.Fatalf("woken in the order %v, not %v", got, want)
	}
}

func TestADeathThatALinkOrderedMayOrderMore(t *testing.T) {
	const long = 1000
	g := newTestScheduler(t, Config{})
	var told []string
	chain := &testLink{name: "last", told: &told}
	for range long {
		sleeper := g.spawnBlocked(Options{Link: chain}, fiber.OnQueue())
		chain = &testLink{name: "next", told: &told, orders: []fiber.Order{{ID: sleeper.ID, Kill: true}}}
	}
	g.spawnRunning(Options{Link: chain})
	g.KillCurrent()
	if g.Inspect().Live() != 0 || len(told) != long+1 {
		t.Fatalf("%d alive, %d told", g.Inspect().Live(), len(told))
	}
}

func TestAFailureInACellIsReportedUnlessTheLinkObservedIt(t *testing.T) {
	var unseen []fiber.ID
	g := newTestScheduler(t, Config{Unobserved: func(e *UnobservedError) { unseen = append(unseen, e.ID) }})
	var told []string
	seen, cell := new(ioqueue.Cell), new(ioqueue.Cell)
	for _, c := range []*ioqueue.Cell{nil, seen, cell} {
		g.spawnRunning(Options{Cell: c, Link: &testLink{name: "link", told: &told}})
		g.Exit(nil, errWhy)
	}
	seen.Result()
	g.Steps().ReportUnobserved()
	if want := []fiber.ID{cell.Owner()}; !slices.Equal(unseen, want) {
		t.Fatalf("told of %v, want %v", unseen, want)
	}
}
