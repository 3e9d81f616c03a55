package trial

import (
	"cmp"
	"strings"
	"time"
)

// Outcome is what tests made of a change.
type Outcome uint8

const (
	// Lives: they pass, so the change is not noticed.
	Lives Outcome = iota + 1
	// Found: a test fails, or the test binary panics.
	Found
	// Hung: they did not end in time, or ran out of memory, which counts as noticed.
	Hung
	// Unbuilt: it does not compile. Nothing is known.
	Unbuilt
	// Same: the compiler makes the same program of it. There is nothing to notice.
	Same
)

var outcomeNames = [...]string{"none", "lives", "found", "hung", "unbuilt", "same"}

// String is the lower-case name.
func (v Outcome) String() string {
	if int(v) < len(outcomeNames) {
		return outcomeNames[v]
	}
	return "invalid outcome"
}

// Result is an outcome and what led to it.
type Result struct {
	Outcome Outcome
	Took    time.Duration            // of the tests alone, without building them
	Finding string                   // the first line that reports a failure
	Test    string                   // that failed, or that it was at; "" if the output does not say
	Each    map[string]time.Duration // what the tests took that passed, if they were watched
}

// classify reads the output of a test binary that failed.
func classify(output string, late bool) (Outcome, string) {
	switch {
	case late || strings.Contains(output, "panic: test timed out"):
		return Hung, "the tests did not end"
	case strings.Contains(output, "out of memory"), strings.Contains(output, "cannot allocate memory"):
		return Hung, "the tests ran out of memory"
	}
	return Found, firstFinding(output)
}

// firstFinding is the first line of the output that reports a failure of ours: where a
// test says something, else what the binary panicked with.
func firstFinding(output string) string {
	said, failed := "", ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "_test.go:") && !strings.Contains(line, " +0x"): // no line of a stack
			return line
		case said == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")):
			said = line
		case failed == "" && strings.HasPrefix(line, "--- FAIL"):
			failed = line
		}
	}
	return cmp.Or(said, failed)
}

// lastTest is the test that failed, or the last that began.
func lastTest(output string) (name string) {
	for line := range strings.Lines(output) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			name, _, _ = strings.Cut(rest, " ")
			break
		}
		if test, ok := begins(line); ok {
			name = test
		}
	}
	name, _, _ = strings.Cut(name, "/")
	return name
}
