package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/spec"
)

// diagram is one view of the machine: of every state it shows one word, and how the steps
// lead from word to word.
type diagram struct {
	title, says string
	of          func(*spec.State) string
}

func diagrams() []diagram {
	return []diagram{
		{"A regular fiber", "Its status and, while it runs, whether it has armed a wait or is lent to a worker; while it is ready, whether it is held.", func(s *spec.State) string { return status(s, spec.Regular(0)) }},
		{"A trampoline", "A native call. When the chain parks, its callers are blocked on it; when it nests, they are pinned under a pump and Running.",
			func(s *spec.State) string { return status(s, spec.Trampoline(0)) }},
		{"Cancel and kill", "Whether a regular fiber must end. A mask postpones a cancellation, but not a kill.", ending},
		{"An operation", "The state of a token.", func(s *spec.State) string { return s.Tokens[0].State.String() }},
	}
}

func status(s *spec.State, x spec.Slot) string {
	c := &s.Contexts[x]
	switch {
	case c.Latch != spec.Unarmed:
		return c.Status.String() + ", " + c.Latch.String()
	case !x.IsTrampoline() && s.Fibers[x].Held:
		return c.Status.String() + ", held"
	case !x.IsTrampoline() && s.Fibers[x].Lent:
		return c.Status.String() + ", lent"
	}
	return c.Status.String()
}

func ending(s *spec.State) string {
	f := &s.Fibers[spec.Regular(0)]
	switch {
	case s.Contexts[spec.Regular(0)].Status == spec.Dead:
		return "dead"
	case f.Doomed:
		return "doomed"
	case f.Fatal:
		return "failed"
	case f.Cancel != spec.NotCancelled:
		return "cancel " + f.Cancel.String()
	}
	return "alive"
}

// mermaid is the diagram in the language that Markdown viewers draw.
func (d diagram) mermaid(f *finding) string {
	names := map[string]string{}
	var b strings.Builder
	b.WriteString("```mermaid\nstateDiagram-v2\n")
	moves := slices.SortedFunc(maps.Keys(f.moves[d.title]), func(x, y move) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	for _, m := range moves {
		for _, word := range []string{m.from, m.to} {
			if names[word] == "" {
				names[word] = fmt.Sprintf("s%d", len(names))
				fmt.Fprintf(&b, "    state \"%s\" as %s\n", word, names[word])
			}
		}
	}
	for _, m := range moves {
		fmt.Fprintf(&b, "    %s --> %s: %s\n", names[m.from], names[m.to], list(sorted(f.moves[d.title][m])))
	}
	b.WriteString("```\n")
	return b.String()
}

func list[S fmt.Stringer](all []S) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = s.String()
	}
	return strings.Join(words, ", ")
}
