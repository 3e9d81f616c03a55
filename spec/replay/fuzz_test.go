package replay

import (
	"errors"
	"strings"
	"testing"
)

// Whatever the bytes are, the answer is a report or an error of this package.
func FuzzCheck(f *testing.F) {
	lines := recorded(f)
	f.Add(sealed(lines[:40]))
	f.Add(sealed(shortRun))
	f.Add(sealed(movingRun))
	for _, e := range edits() {
		for i := 1; i < len(lines)-1; i++ {
			if strings.Contains(lines[i], e.from) {
				f.Add(sealed(append(lines[:i:i], e.does(lines[i], lines[i+1])...)))
				break
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		report, err := Check(strings.NewReader(text))
		var format *FormatError
		var version *VersionError
		var wrong *Divergence
		var uncovered *Uncovered
		switch {
		case err == nil, errors.Is(err, ErrTruncated), errors.As(err, &format), errors.As(err, &version):
		case errors.As(err, &uncovered):
		case errors.As(err, &wrong):
			if wrong.Rule == 0 || len(wrong.Allowed) == 0 || len(wrong.Before) == 0 {
				t.Errorf("%+v", wrong)
			}
		default:
			t.Errorf("%T: %v", err, err)
		}
		if n := strings.Count(text, "\n"); report.Transitions > uint64(n) {
			t.Errorf("%d transitions in %d lines", report.Transitions, n)
		}
	})
}
