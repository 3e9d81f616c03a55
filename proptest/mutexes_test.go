package proptest

import (
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/mutex"
)

type mutexTour = tour[mutex.Config, mutex.State, mutex.Action, mutex.Answer]

func newMutexTour(t *testing.T, c mutex.Config, change func(*mutexGuide)) *mutexTour {
	t.Helper()
	g, err := graph.Explore(c, everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &mutexTour{graph: g, model: c, fresh: func() guide[mutex.State, mutex.Action, mutex.Answer] {
		guide := newMutexGuide(c)
		change(guide)
		return guide
	}}
}

func TestTheMutexFollowsEveryEdgeOfTheModelAndRefusesEverythingElse(t *testing.T) {
	for _, c := range []mutex.Config{
		{Fibers: 3}, {Fibers: 3, HandOn: true}, {Fibers: 4}, {Fibers: 4, HandOn: true},
		{Fibers: 3, Cond: true}, {Fibers: 3, HandOn: true, Cond: true}, {Fibers: 4, HandOn: true, Cond: true},
	} {
		for step := range 2 { // where there are two ways to do something, it takes the other
			if step > 0 && !long.On(t) {
				break
			}
			t.Run(fmt.Sprintf("%d: %+v", step, c), func(t *testing.T) {
				t.Parallel()
				walk := newMutexTour(t, c, func(g *mutexGuide) { g.step = step })
				walk.stride = strideOf(t, 4)
				if err := walk.everywhere(); err != nil {
					t.Fatal(err)
				}
				t.Logf("%d states, %d edges, %d refusals, %d real steps", len(walk.graph.States), walk.edges, walk.refusals, walk.steps)
			})
		}
	}
}

// To a broken model the right mutex is the broken one. A tour takes the shortest way to each
// state; the one that PassesBroadcastOn shows on is longer, and a play finds it (brokenPlays).
func TestEveryBrokenModelOfTheMutexIsFound(t *testing.T) {
	for _, bug := range mutex.Bugs() {
		if bug == mutex.PassesBroadcastOn {
			continue
		}
		t.Run(bug.String(), func(t *testing.T) {
			walk := newMutexTour(t, mutex.Config{Fibers: 3, Cond: true}, func(*mutexGuide) {})
			walk.model.Bug = bug
			foundOn(t, walk.everywhere())
		})
	}
}

func TestAHostThatForgetsTheOwnerOrTheWakeOfAMutexIsFound(t *testing.T) {
	for name, change := range map[string]func(*mutexGuide){
		"the scheduler does not know the owner": func(g *mutexGuide) { g.own = func() {} },
		"a wake is not delivered":               func(g *mutexGuide) { g.apply = func(...fiber.Wakeup) error { return nil } },
	} {
		t.Run(name, func(t *testing.T) {
			foundOn(t, newMutexTour(t, mutex.Config{Fibers: 3}, change).everywhere())
		})
	}
}
