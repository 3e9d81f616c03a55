package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/spec"
)

var tiny = spec.Config{Fibers: 1, Trampolines: 1, Tokens: 1, Tickets: 1}

// formal is the edges of the tiny machine as the verifier prints them.
func formal(t *testing.T) []string {
	t.Helper()
	var lines []string
	_, err := tiny.Explore(limit, func(g *spec.Graph, e spec.Edge) {
		lines = append(lines, fmt.Sprintf("E %s|%v %v|%s",
			tiny.Key(&g.States[e.From]), e.Action, e.Answer, tiny.Key(&g.States[e.To])))
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func compare(t *testing.T, lines []string) (ok bool, report string) {
	t.Helper()
	var out strings.Builder
	ok, err := run(tiny, strings.NewReader(strings.Join(lines, "\n")), &out)
	if err != nil {
		t.Fatal(err)
	}
	return ok, out.String()
}

func TestEqualGraphsInAnyOrderAreEqual(t *testing.T) {
	lines := formal(t)
	lines[0], lines[len(lines)-1] = lines[len(lines)-1], lines[0]
	lines = append(lines, "pan: elapsed time 0 seconds")
	if ok, report := compare(t, lines); !ok {
		t.Error(report)
	}
}

func TestEveryDifferenceIsSeenAndNamed(t *testing.T) {
	for _, test := range []struct {
		name, want string
		change     func(lines []string) []string
	}{
		{"an edge is missing", "only package spec has it",
			func(l []string) []string { return append(l[:100:100], l[101:]...) }},
		{"an edge is there twice", "twice",
			func(l []string) []string { return append(l, l[7]) }},
		{"another state is reached", "package spec goes to",
			func(l []string) []string { l[9] = l[9][:len(l[9])-1] + "9"; return l }},
		{"another answer is given", "package spec answers",
			func(l []string) []string { return replaceFirst(l, " Parked|", " Requeued|") }},
		{"an action is possible", "refuses it",
			func(l []string) []string { return replaceFirst(l, "|Next ", "|Yield ") }},
		{"an action is unknown", "does not have",
			func(l []string) []string { return replaceFirst(l, "|Next ", "|Jump ") }},
		{"a state is unknown", "does not reach",
			func(l []string) []string { l[3] = "E x" + l[3][3:]; return l }},
		{"a line is cut", "not an edge",
			func(l []string) []string { l[3] = l[3][:12]; return l }},
	} {
		t.Run(test.name, func(t *testing.T) {
			ok, report := compare(t, test.change(formal(t)))
			if ok || !strings.Contains(report, test.want) {
				t.Errorf("equal: %v, report %q; want a difference: %q", ok, report, test.want)
			}
		})
	}
}

func TestNoEdgesAtAllAreNotEqual(t *testing.T) {
	if ok, report := compare(t, nil); ok {
		t.Error(report)
	}
}

func replaceFirst(lines []string, old, new string) []string {
	for i, l := range lines {
		if strings.Contains(l, old) {
			lines[i] = strings.Replace(l, old, new, 1)
			return lines
		}
	}
	return lines
}
