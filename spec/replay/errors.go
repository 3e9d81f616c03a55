package replay

import (
	"errors"
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/fiber"
)

// ErrTruncated reports a trace that stops in the middle: it has no end line. What came
// before follows the specification.
var ErrTruncated = errors.New("the trace has no end: the run was cut short, or the file was")

// FormatError reports a line that is none of a trace.
type FormatError struct {
	// Line counts from 1.
	Line int
	// Err is what is wrong with it.
	Err error
}

// Error names the line and what is wrong.
func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap is Err.
func (e *FormatError) Unwrap() error { return e.Err }

// VersionError reports a trace of a version that this package cannot read.
type VersionError struct{ Version int }

// Error names both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("line 1: the trace has version %d of the format; this reader knows the versions up to %d", e.Version, Version)
}

// Divergence reports the first transition that the specification does not allow.
type Divergence struct {
	// Line and Text are where, and the line itself.
	Line int
	Text string
	// Rule is the rule that it breaks, one of I1 to I13.
	Rule fiber.Rule
	// Found is how the line breaks it.
	Found string
	// Allowed is what the specification would have allowed there, in words.
	Allowed []string
	// Before is the lines before it, the nearest last.
	Before []string
}

// Error names the line and the rule, what was allowed, and what came before.
func (e *Divergence) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "line %d: %s\nbreaks %s: %s\nallowed there:\n", e.Line, e.Text, e.Rule, e.Found)
	for _, a := range e.Allowed {
		fmt.Fprintf(&b, "    %s\n", a)
	}
	b.WriteString("the lines before:\n")
	for i, text := range e.Before {
		fmt.Fprintf(&b, "%6d  %s\n", e.Line-len(e.Before)+i, text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Uncovered reports a transition that the specification does not model: nothing is known
// about the run from there on.
type Uncovered struct {
	// Line and Text are where, and the line itself.
	Line int
	Text string
	// What it is that has no model.
	What string
}

// Error names the line and what is not modelled.
func (e *Uncovered) Error() string {
	return fmt.Sprintf("line %d: %s\nnot covered by the model: %s", e.Line, e.Text, e.What)
}
