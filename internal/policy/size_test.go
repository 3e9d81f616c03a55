package policy

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// maxLines is the size at which a file holds more than one idea.
const maxLines = 400

func TestNoFileGrowsBeyondFourHundredLines(t *testing.T) {
	hold(t, fileSizes)
	sizes := lineCounts(repository(t))
	t.Logf("%d files, median %d lines, longest %d", len(sizes), sizes[len(sizes)/2], sizes[len(sizes)-1])
}

func fileSizes(tr *tree) []finding {
	var found []finding
	for _, p := range tr.packages {
		for _, f := range p.files {
			if n := lines(f); n > maxLines {
				found = append(found, finding{f.path, fmt.Sprintf("%d lines; split it by idea, at most %d a file", n, maxLines)})
			}
		}
	}
	return found
}

// lineCounts are the sizes of all files that are not tests, ascending.
func lineCounts(tr *tree) []int {
	var counts []int
	for _, p := range tr.packages {
		for _, f := range p.files {
			counts = append(counts, lines(f))
		}
	}
	slices.Sort(counts)
	return counts
}

func lines(f *file) int { return bytes.Count(f.src, []byte("\n")) }
