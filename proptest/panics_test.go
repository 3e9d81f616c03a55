package proptest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/panicstate"
	"github.com/selvage-dev/selvage/spec/graph"
	"github.com/selvage-dev/selvage/spec/panics"
)

type panicTour = tour[panics.Config, panics.State, panics.Action, panics.Answer]

func newBare() place { return new(bare) }

func newPanicTour(t *testing.T, c panics.Config, at func() place) *panicTour {
	t.Helper()
	g, err := graph.Explore(c, everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &panicTour{graph: g, model: c, fresh: func() guide[panics.State, panics.Action, panics.Answer] {
		return newPanicGuide(at())
	}}
}

func TestPanicsFollowEveryEdgeOfTheModelAndRefuseEverythingElse(t *testing.T) {
	for _, p := range []struct {
		panics.Config
		where string
		at    func() place
		long  bool
	}{
		{panics.Config{Machines: 1, Frames: 2, Calls: 3, Panics: 3}, "alone", newBare, false},
		{panics.Config{Machines: 2, Frames: 2, Calls: 1, Panics: 2}, "alone", newBare, false},
		{panics.Config{Machines: 1, Frames: 2, Calls: 2, Panics: 2}, "scheduled", newScheduled, false},
		{panics.Config{Machines: 2, Frames: 1, Calls: 1, Panics: 2}, "scheduled", newScheduled, false},
		{panics.Config{Machines: 1, Frames: 3, Calls: 3, Panics: 3}, "alone", newBare, true},
		{panics.Config{Machines: 2, Frames: 2, Calls: 2, Panics: 2}, "alone", newBare, true},
		{panics.Config{Machines: 2, Frames: 2, Calls: 1, Panics: 2}, "scheduled", newScheduled, true},
	} {
		if p.long && !long.Deep() {
			continue
		}
		t.Run(fmt.Sprintf("%s %+v", p.where, p.Config), func(t *testing.T) {
			t.Parallel()
			walk := newPanicTour(t, p.Config, p.at)
			if err := walk.everywhere(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d states, %d edges, %d refusals, %d real steps", len(walk.graph.States), walk.edges, walk.refusals, walk.steps)
		})
	}
}

// deep is a machine whose graph too large to search.
var deep = panics.Config{Machines: 2, Frames: panics.MaxFrames, Calls: panics.MaxCalls, Panics: panics.MaxPanics}

func TestPanicsStayInStepFarBeyondTheBounds(t *testing.T) {
	walks := long.Cases(40, 400)
	for where, at := range map[string]func() place{"alone": newBare, "scheduled": newScheduled} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			nested := 0
			for seed := range walks {
				n, err := wanderThroughPanics(deep, newPanicGuide(at()), uint64(seed), walkLength)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				nested = max(nested, n)
			}
			t.Logf("%d steps and refusals, up to %d panics inside each other", walks*walkLength, nested)
			if nested < 4 {
				t.Error("no walk went deep")
			}
		})
	}
}

// wanderThroughPanics takes n steps, and after each tries something that is refused there.
func wanderThroughPanics(c panics.Config, g *panicGuide, seed uint64, n int) (nested int, err error) {
	rng := rand.New(rand.NewPCG(seed, 3))
	all, s := c.All(), c.Init()
	tour := panicTour{model: c}
	var taken []panics.Action
	for range n {
		a := all[rng.IntN(len(all))]
		switch {
		case a.Kind == panics.Reset && rng.IntN(8) > 0 && !s.Machines[0].Over, raisesFatal(a) && rng.IntN(16) > 0:
			continue // nothing would ever become of anything
		case !c.Can(&s, a):
			if err := turnedAway(g, &s, a); err != nil {
				return nested, fmt.Errorf("refused %v after %v: %w", a, taken, err)
			}
			continue
		}
		taken = append(taken, a)
		if a.Kind == panics.Reset {
			taken = nil
		}
		if err := tour.do(g, &s, a); err != nil {
			return nested, fmt.Errorf("%v after %v: %w", a, taken, err)
		}
		if err := seen(g, &s); err != nil {
			return nested, fmt.Errorf("after %v: %w", taken, err)
		}
		nested = max(nested, len(s.Executing().Panics()))
	}
	return nested, nil
}

func raisesFatal(a panics.Action) bool {
	return a.Kind == panics.Begin && a.Panic() == panicstate.Fatal
}

// To a broken model the right machine is the broken one.
func TestEveryBrokenModelOfPanicsIsFound(t *testing.T) {
	for _, bug := range panics.Bugs() {
		c := panics.Config{Machines: 1, Frames: 2, Calls: 2, Panics: 2}
		if slices.Contains([]panics.Bug{panics.LosesGeneration, panics.SwallowsPanic, panics.KeepsUnwind, panics.ReplacesHanded}, bug) {
			c = panics.Config{Machines: 2, Frames: 1, Calls: 1, Panics: 2}
		}
		t.Run(bug.String(), func(t *testing.T) {
			walk := newPanicTour(t, c, newBare)
			walk.model.Bug = bug
			foundOn(t, walk.everywhere())
		})
	}
}

// deaf is a place that does something else than the model's action.
type deaf struct {
	place
	reaches func(b *bare, p panicstate.Panic)
}

func (d *deaf) leave() {
	b := d.place.(*bare)
	p, panicked := b.machine().Outcome()
	b.machine().Reset()
	b.calling = 0
	if panicked {
		d.reaches(b, p)
	}
}

func TestAHostThatHandsAPanicOnWronglyIsFound(t *testing.T) {
	c := panics.Config{Machines: 2, Frames: 1, Calls: 1, Panics: 2}
	for name, reaches := range map[string]func(b *bare, p panicstate.Panic){
		"it is swallowed":          func(*bare, panicstate.Panic) {},
		"it is another of its own": func(b *bare, p panicstate.Panic) { b.machine().Begin(p.Kind, "again", p.Site) },
		"its site is lost":         func(b *bare, p panicstate.Panic) { b.machine().Begin(p.Kind, p.Value, "") },
		"it becomes weaker":        func(b *bare, p panicstate.Panic) { b.machine().Begin(panicstate.Recoverable, p.Value, p.Site) },
	} {
		t.Run(name, func(t *testing.T) {
			foundOn(t, newPanicTour(t, c, func() place { return &deaf{new(bare), reaches} }).everywhere())
		})
	}
}
