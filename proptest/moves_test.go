package proptest

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/move"
)

type moveTour = tour[move.Config, move.State, move.Action, move.Answer]

// newMoveTour is a tour with guides that begin with the step: where there are two ways to do
// something, they take different ones.
func newMoveTour(t *testing.T, c move.Config, change func(*moveGuide)) *moveTour {
	t.Helper()
	g, err := graph.Explore(c, everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &moveTour{graph: g, model: c, fresh: func() guide[move.State, move.Action, move.Answer] {
		guide := newMoveGuide(c)
		change(guide)
		return guide
	}}
}

func movePlay(c move.Config) drama {
	return &play[move.Config, move.State, move.Action, move.Answer]{
		title: fmt.Sprintf("moves %+v", c), model: c,
		fresh: func() guide[move.State, move.Action, move.Answer] { return newMoveGuide(c) },
	}
}

func TestTwoSchedulersFollowEveryEdgeOfTheModelOfMovesAndRefuseEverythingElse(t *testing.T) {
	for i, c := range []move.Config{{Fibers: 2, Slots: 1}, {Fibers: 2, Slots: 1}, {Fibers: 2, Slots: 2}, {Fibers: 3, Slots: 1}} {
		walk := newMoveTour(t, c, func(g *moveGuide) { g.step = i })
		if !long.Deep() && len(walk.graph.States) > 2000 {
			continue
		}
		t.Run(fmt.Sprintf("%d: %+v", i, c), func(t *testing.T) {
			t.Parallel()
			if err := walk.everywhere(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d states, %d edges, %d refusals, %d real steps", len(walk.graph.States), walk.edges, walk.refusals, walk.steps)
		})
	}
}

func TestMovesStayInStepByTwoGenerators(t *testing.T) {
	perform(t, movePlay(move.Config{Fibers: 3, Slots: 2}))
	perform(t, movePlay(move.Config{Fibers: 3, Slots: 1}))
}

// To a broken model the right schedulers are the broken ones.
func TestEveryBrokenModelOfMovesIsFound(t *testing.T) {
	for _, bug := range move.Bugs() {
		t.Run(bug.String(), func(t *testing.T) {
			walk := newMoveTour(t, move.Config{Fibers: 2, Slots: 1}, func(*moveGuide) {})
			if bug == move.BringsInFront || bug == move.MovesTold {
				walk = newMoveTour(t, move.Config{Fibers: 2, Slots: 2}, func(*moveGuide) {})
			}
			walk.model.Bug = bug
			foundOn(t, walk.everywhere())
		})
	}
}

func TestACarrierThatDoesSomethingElseIsFound(t *testing.T) {
	for name, carry := range map[string]func(*traveller, *scheduler.Scheduler[uint8]) error{
		"it brings in another": func(p *traveller, to *scheduler.Scheduler[uint8]) (err error) {
			p.id, err = to.Spawn(p.moved.Data)
			return err
		},
		"it abandons who it has brought in": func(p *traveller, to *scheduler.Scheduler[uint8]) error {
			err := p.carried(to)
			p.moved.Abandon(nil)
			return err
		},
		"it brings nobody": func(*traveller, *scheduler.Scheduler[uint8]) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			foundOn(t, newMoveTour(t, move.Config{Fibers: 2, Slots: 2}, func(g *moveGuide) { g.carry = carry }).everywhere())
		})
	}
}
