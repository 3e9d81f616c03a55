package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A random program without loops is refused, fails, or ends, in both ways of native calls: it never
// panics and never leaves a call in flight.
func TestRandomProgramsNeverPanic(t *testing.T) {
	pieces := []string{`"text"`, "0", "1", "2", "-1", "0 if 1 else 2 then", "0 chan", "1 chan", "dup dup", "constant c c", "f", "' f"}
	for _, word := range slices.Sorted(maps.Keys(primitives())) {
		pieces = append(pieces, word, "' "+word, "1 2 ' "+word+" spawn", "7 3 1 2 3 ' "+word+" sort", "' "+word+" call")
	}
	body := rapid.SliceOfN(rapid.SampledFrom(pieces[:len(pieces):len(pieces)]), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		text := ": f 1 ;\n: f " + strings.Join(body.Draw(t, "f"), "\n") + " ;\n1 2 0 chan 1 chan 3 4\n" +
			strings.Join(body.Draw(t, "main"), "\n")
		p, err := compile("p.fs", text)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		for _, nest := range []bool{false, true} {
			var out bytes.Buffer
			m := newMachine(p, settings{nest: nest, virtual: true, slice: 5, out: &out, log: &out})
			_ = m.run(t.Context()) // it may fail
			if err := m.native.Calls().Check(); err != nil {
				t.Fatalf("%s\n%v", text, err)
			}
		}
	})
}
