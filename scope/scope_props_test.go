package scope

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/internal/invariants"
)

// In every tree of scopes, whatever its fibers do and whatever is done to them, between any
// two steps: a scope holds exactly its living fibers; what is stopped is cancelled, all but
// who stopped it; no fiber outlives the owner but to unwind; a scope ends once, when no fiber is
// alive, and its result is what decided it in the order of the scheduler.
func TestRandomTreesOfScopes(t *testing.T) {
	steps, scopes, seen := 0, 0, map[string]int{}
	play := func(t *rapid.T) {
		w := newWorld(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(100, 12000).Draw(t, "length"))
		w.play()
		if w.wrong != nil {
			t.Fatalf("%s\n%s", w.wrong[0], w.Inspect().Dump())
		}
		steps += w.steps
		scopes += len(w.books)
		for _, b := range w.books {
			seen[b.ending()]++
		}
	}
	for rapid.Check(t, play); steps < enough() && !t.Failed(); {
		rapid.Check(t, play)
	}
	if invariants.On || t.Failed() {
		return
	}
	if scopes < 1000 {
		t.Errorf("only %d scopes", scopes)
	}
	for _, end := range []string{"well", "failed", "cancelled", "stopped", "orphaned", "deadline"} {
		if seen[end] < 20 {
			t.Errorf("only %d scopes ended %s", seen[end], end)
		}
	}
	t.Logf("%d steps, %d scopes: %v", steps, scopes, seen)
}

// enough is how many steps the trees must come to; the checked build, where each takes
// long, goes once through what rapid draws.
func enough() int {
	if invariants.On {
		return 0
	}
	return 100_000
}

// ending is what became of the scope.
func (b *book) ending() string {
	switch {
	case b.orphaned:
		return "orphaned"
	case b.verdict == ErrDeadline:
		return "deadline"
	case b.verdict != nil:
		return "cancelled"
	case len(b.failures) > 0:
		return "failed"
	case b.stopped:
		return "stopped"
	}
	return "well"
}

func TestPoliciesHaveNames(t *testing.T) {
	for p, want := range []string{"cancel on error", "wait for all", "any success", "invalid policy"} {
		if got := Policy(p).String(); got != want {
			t.Errorf("policy %d is %q, want %q", p, got, want)
		}
	}
}
