//go:build amd64 || arm64

package scheduler

import (
	"path/filepath"
	"strings"
	"testing"
)

// Each look into a slice that the compiler cannot prove to be inside is a compare more in
// every switch. A ring has one where it is read or written, a table where a chunk is found.
func TestTheHotTransitionsHaveNoMoreBoundsChecksThanTheyNeed(t *testing.T) {
	left := map[string]int{}
	for _, line := range compiled(t, "-d=ssa/check_bce", ".") {
		if strings.Contains(line, "Found Is") {
			file, _, _ := strings.Cut(filepath.Base(line), ":")
			left[file]++
		}
	}
	if left["ring.go"] == 0 {
		t.Fatal("the compiler reports no bounds checks at all: is -d=ssa/check_bce still its flag?")
	}
	for file, most := range map[string]int{
		"header.go": 0, "gate.go": 0,
		"hot.go":    1, // the push of YieldCurrent
		"single.go": 11,
		"batch.go":  10,
		"table.go":  5,
	} {
		if left[file] > most {
			t.Errorf("%s has %d bounds checks, %d were enough; see go build -gcflags=-d=ssa/check_bce ./scheduler", file, left[file], most)
		}
	}
}
