package main

import (
	"fmt"
	"strings"

	"github.com/selvage-dev/selvage/proptest"
	"github.com/selvage-dev/selvage/spec"
)

func table(heads ...string) *strings.Builder {
	b := new(strings.Builder)
	row(b, heads...)
	row(b, strings.Split(strings.TrimSuffix(strings.Repeat("---|", len(heads)), "|"), "|")...)
	return b
}

func row(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// steps is every kind of action: who may call it, what it does, what it says.
func steps(f *finding) string {
	b := table("step", "who may call", "effect", "changes", "answers", "rules")
	for _, d := range spec.Describe() {
		row(b, d.Kind.String(), d.Caller, d.Effect, changesBy(d.Kind), answers(f, d.Kind), d.Rules)
	}
	return b.String()
}

// changesBy is the rows of one kind in the table of changes.
func changesBy(k spec.Kind) string {
	var all []string
	for _, t := range spec.Transitions() {
		if t.By == k {
			all = append(all, pool(t)+" "+t.From.String()+" → "+t.To.String())
		}
	}
	if all == nil {
		return "–"
	}
	return strings.Join(all, "<br>")
}

func pool(t spec.Transition) string {
	if t.Trampoline {
		return "trampoline"
	}
	return "regular"
}

func answers(f *finding, k spec.Kind) string {
	var said []spec.Answer
	for _, a := range sorted(f.answers[k]) {
		if a != spec.NoAnswer {
			said = append(said, a)
		}
	}
	if said == nil {
		return "–"
	}
	return list(said)
}

func changes() string {
	b := table("from", "to", "pool", "by")
	for _, from := range statuses() {
		for _, to := range statuses() {
			for _, tramp := range [...]bool{false, true} {
				if by := kindsOf(from, to, tramp); by != nil {
					row(b, from.String(), to.String(), pool(spec.Transition{Trampoline: tramp}), list(by))
				}
			}
		}
	}
	return b.String()
}

func statuses() []spec.Status {
	return []spec.Status{spec.Dead, spec.Runnable, spec.Running, spec.BlockedQueue, spec.BlockedIO, spec.BlockedTimer}
}

func kindsOf(from, to spec.Status, tramp bool) []spec.Kind {
	var by []spec.Kind
	for _, t := range spec.Transitions() {
		if t.From == from && t.To == to && t.Trampoline == tramp {
			by = append(by, t.By)
		}
	}
	return by
}

func refusals() string {
	b := table("step", "when", "refused by")
	for _, r := range proptest.Refusals() {
		row(b, r.Kind.String(), r.When, refusedBy(&r))
	}
	return b.String()
}

func refusedBy(r *proptest.Refusal) string {
	switch {
	case r.NoCall != "":
		return "no call: " + r.NoCall
	case r.Rule != "":
		return fmt.Sprintf("contract error %s of %v", r.Rule, r.Op)
	case r.Verdict:
		return "the error of the Fatal panic"
	case r.Err != nil:
		return "error: " + r.Err.Error()
	}
	return "answer " + list(r.Answers)
}
