package script

import (
	"fmt"
	"slices"
	"strings"
)

// Result is a script that has been run: what it expected and what came.
type Result struct {
	name       string
	paragraphs []paragraph
	got        [][]string // by paragraph
	fault      string
}

// OK is true if every output was as expected and no fault was found.
func (r *Result) OK() bool {
	if r.fault != "" {
		return false
	}
	for i := range r.paragraphs {
		if !r.matches(i) {
			return false
		}
	}
	return true
}

func (r *Result) matches(i int) bool {
	p := &r.paragraphs[i]
	return slices.Equal(p.want, r.got[i]) && p.divided == (len(p.commands) > 0)
}

// Fault is the first sign of a bug in the library that the run found: a violated invariant, a
// refusal that changed something, an undeclared panic. It is "" if there was none. A script may
// expect any output, but a run with a fault never passes.
func (r *Result) Fault() string { return r.fault }

// Text is the script with the real outputs in place of the expected ones. Error lines contain
// line numbers, which change when an output gets longer; Rewrite takes that into account.
func (r *Result) Text() string {
	var b strings.Builder
	for i := range r.paragraphs {
		r.paragraphs[i].write(&b, r.got[i])
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// Diff shows each paragraph whose output was not as expected: its commands and the
// lines that are missing (-) and too many (+); a fault comes first. It is "" if OK.
func (r *Result) Diff() string {
	var b strings.Builder
	if r.fault != "" {
		b.WriteString("a fault of the library, whatever the script expects: " + strings.TrimSpace(r.fault) + "\n")
	}
	for i := range r.paragraphs {
		if r.matches(i) {
			continue
		}
		p := &r.paragraphs[i]
		if len(p.commands) == 0 {
			fmt.Fprintf(&b, "%s: an output without a command in front of it\n", r.name)
		} else {
			fmt.Fprintf(&b, "%s:%d: the output is not as expected (-want +got)\n", r.name, p.commands[0].Number)
		}
		for _, l := range p.commands {
			b.WriteString("    " + l.Text + "\n")
		}
		b.WriteString("    " + Separator + "\n")
		if !p.divided {
			b.WriteString("(the line " + Separator + " is missing after the commands)\n")
		}
		Diff(&b, p.want, r.got[i])
	}
	return b.String()
}
