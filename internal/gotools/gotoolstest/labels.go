package gotoolstest

import (
	"bytes"
	"runtime/pprof"
	"slices"
	"strings"
)

// Labels are those of all goroutines that have some, each once, in order.
func Labels() (all []string) {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1) // into memory
	for line := range strings.Lines(b.String()) {
		if labels, ok := strings.CutPrefix(line, "# labels: "); ok {
			all = append(all, strings.TrimSpace(labels))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
