package main

import (
	"flag"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec"
)

var rewrite = flag.Bool("rewrite", false, "write docs/state-machine.md instead of comparing it")

const path = "../../../docs/state-machine.md"

func TestTheDocumentIsFreshAndLacksNothing(t *testing.T) {
	if !*rewrite && !long.On(t) {
		return
	}
	found, err := search()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d states, %d edges", found.states, found.edges)
	t.Run("fresh", func(t *testing.T) { isFresh(t, document(found)) })
	t.Run("whole", func(t *testing.T) { lacksNothing(t, found) })
}

func isFresh(t *testing.T, want string) {
	if *rewrite {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(text), want); d != "" {
		t.Errorf("docs/state-machine.md is not what the specification says now (go test ./internal/tools/statemachine -rewrite):\n%s", d)
	}
}

// A diagram of machines that are too small would lack edges: every kind of step and every
// row of the table of changes must have come up, and every answer.
func lacksNothing(t *testing.T, found *finding) {
	for _, k := range spec.Kinds() {
		if found.answers[k] == nil {
			t.Errorf("%v does not occur", k)
		}
	}
	said := map[spec.Answer]bool{}
	for _, answers := range found.answers {
		maps.Copy(said, answers)
	}
	for a := spec.AnswerParked; a <= spec.AnswerStackInversion; a++ {
		if !said[a] {
			t.Errorf("nobody is told %v", a)
		}
	}
	regular, tramp := found.moves[diagrams()[0].title], found.moves[diagrams()[1].title]
	for _, row := range spec.Transitions() {
		moves := regular
		if row.Trampoline {
			moves = tramp
		}
		if !shown(moves, row) {
			t.Errorf("no diagram has %+v", row)
		}
	}
}

// shown: the row is an edge of the diagram, whatever is armed at its ends.
func shown(moves map[move]map[spec.Kind]bool, row spec.Transition) bool {
	for m, kinds := range moves {
		from, _, _ := strings.Cut(m.from, ",")
		to, _, _ := strings.Cut(m.to, ",")
		if from == row.From.String() && to == row.To.String() && kinds[row.By] {
			return true
		}
	}
	return false
}
