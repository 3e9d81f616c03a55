package code

import (
	"strings"
	"testing"
)

// A name that is missing, or there twice, would shift those of all that follow.
func TestEveryOperationHasItsOwnName(t *testing.T) {
	if got := len(names()); got != int(ops) {
		t.Fatalf("%d names for %d operations", got, ops)
	}
	seen := map[string]bool{}
	for _, name := range names() {
		if seen[name] {
			t.Errorf("two operations are called %s", name)
		}
		seen[name] = true
	}
	f := &Func{Code: []Instr{{Op: Halt}}}
	if text := f.String(); !strings.Contains(text, "Halt") {
		t.Errorf("the last operation is shown as\n%s", text)
	}
}
