package panicstate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRandomProgramsEndAsTheyDoInGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := program(t, 4)
		m := &vm{}
		m.run(body)
		if want := runGo(body); !slices.Equal(m.tr, want) {
			t.Fatalf("%s\nhere: %q\nin Go: %q", show(body), m.tr, want)
		}
	})
}

// A generator that never recovers, exits or ends with a panic proves nothing.
func TestRandomProgramsDoEverything(t *testing.T) {
	seen := map[string]int{}
	programs := rapid.Custom(func(t *rapid.T) []stmt { return program(t, 4) })
	for seed := range 200 {
		m := &vm{}
		m.run(programs.Example(seed))
		for _, line := range m.tr {
			seen[line[:5]]++
		}
	}
	for _, kind := range []string{"retur", "ended", "exite", "recov", "mark "} {
		if seen[kind] == 0 {
			t.Errorf("no program showed %q", kind)
		}
	}
}

// The same, for programs that once revealed a bug.
func TestKnownHardProgramsEndAsTheyDoInGo(t *testing.T) {
	rec, exit := stmt{op: "recover"}, stmt{op: "exit"}
	pan := func(n int) stmt { return stmt{op: "panic", n: n} }
	mark := func(n int) stmt { return stmt{op: "mark", n: n} }
	call := func(body ...stmt) stmt { return stmt{op: "call", body: body} }
	dfr := func(body ...stmt) stmt { return stmt{op: "defer", body: body} }
	for name, body := range map[string][]stmt{
		"recover through a helper":                       {dfr(call(rec)), pan(1)},
		"recover in a defer of a defer":                  {dfr(dfr(rec)), pan(1)},
		"defer inside a defer runs":                      {dfr(dfr(mark(2)), mark(1)), pan(1)},
		"recover twice":                                  {dfr(rec, rec), pan(1)},
		"recover in a defer that a return runs":          {dfr(call(dfr(rec))), pan(1)},
		"an inner panic recovered leaves the outer":      {dfr(rec), dfr(call(dfr(rec), pan(2))), pan(1)},
		"an inner panic not recovered replaces":          {dfr(rec), dfr(pan(2)), pan(1)},
		"panic after recover":                            {dfr(rec), dfr(rec, pan(2)), pan(1)},
		"recover returns from the frame that deferred":   {call(dfr(rec), call(pan(1)), mark(1)), mark(2)},
		"the frame's other defers still run":             {call(dfr(mark(1)), dfr(rec), pan(1)), mark(2)},
		"exit is not recovered":                          {dfr(rec, mark(1)), exit},
		"a panic while exiting, recovered: exit goes on": {call(dfr(mark(1)), dfr(rec), dfr(pan(2)), exit), mark(2)},
		"a panic while exiting, recovered further out":   {dfr(mark(1)), dfr(rec), call(dfr(pan(2)), exit), mark(2)},
		"exit while panicking":                           {dfr(rec), dfr(exit), pan(1)},
		"exit after recover":                             {dfr(mark(1)), dfr(rec, exit), pan(1)},
		"exit while exiting":                             {dfr(mark(1)), dfr(exit), exit},
		"three panics deep":                              {dfr(rec), dfr(dfr(rec, pan(4)), pan(3)), dfr(pan(2)), pan(1)},
	} {
		m := &vm{}
		m.run(body)
		if want := runGo(body); !slices.Equal(m.tr, want) {
			t.Errorf("%s: %s\nhere: %q\nin Go: %q", name, show(body), m.tr, want)
		}
	}
}
