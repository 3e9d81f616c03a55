package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/internal/tools/trial"
)

// This is what keeps the list of equivalents from rotting.
func TestEveryEquivalentIsAMutantOfTheSourceAsItIs(t *testing.T) {
	root, err := trial.Root()
	if err != nil {
		t.Fatal(err)
	}
	o, err := parse(nil, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	h := &hunt{options: o, sources: map[string]*source{}, sums: map[string]string{}}
	if err := h.collect(root); err != nil {
		t.Fatal(err)
	}
	for _, k := range h.stale {
		t.Errorf("no mutant fits it any more: %v", k)
	}
	if len(h.mutants) < 1000 {
		t.Errorf("%d mutants: this test does not see the source", len(h.mutants))
	}
}

func TestAnEntryThatFitsNoMutantIsStale(t *testing.T) {
	reasons, err := parseEquivalents("p/f.go (*T).f (2)\n- a < b\n+ a <= b\n= they are never equal\n\np/f.go g\n- h()\n+\n= it does nothing\n")
	if err != nil {
		t.Fatal(err)
	}
	here := key{"p/f.go", "g", "h()", "", 0}
	if reasons[here] != "it does nothing" {
		t.Fatalf("read %v", reasons)
	}
	for _, k := range []key{here, {"p/f.go", "(*T).f", "a < b", "a <= b", 2}, {"p/f.go", "", "1", "2", 0}} {
		if again, err := parseEquivalents(k.entry() + "= why"); err != nil || again[k] != "why" {
			t.Errorf("%v reads back as %v, %v", k, again, err)
		}
	}
	gone := stale(reasons, []*mutant{{key: here}})
	if len(gone) != 1 || gone[0] != (key{"p/f.go", "(*T).f", "a < b", "a <= b", 2}) {
		t.Errorf("stale: %v", gone)
	}
}

func TestAnEntryWithoutAReasonIsRefused(t *testing.T) {
	for _, text := range []string{"p/f.go f\n- a\n+ b\n", "p/f.go f\n- a\n+ b\n= \n", "- a\n+ b\n= why\n",
		"p/f.go f\n- a\n+ b\n= why\np/f.go f\n- a\n+ b\n= why\n"} {
		if _, err := parseEquivalents(text); err == nil {
			t.Errorf("read %q", text)
		}
	}
}

func TestResultsOutliveTheRunAndNotTheSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	m := &mutant{key: key{File: "scope/f.go", Was: "a", Becomes: "b"}}
	for _, outcome := range []string{"found", "lives"} { // the last one counts
		l, err := readLedger(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.add(result{key: m.key, Sum: "1", Outcome: outcome}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"file":"cut o`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := readLedger(file)
	if err != nil || !l.has(m, "1") || l.has(m, "2") || l.done[m.key].Outcome != "lives" {
		t.Errorf("read %v, %v", l, err)
	}
}

func TestTheReportCountsAndNamesWhoIsAlive(t *testing.T) {
	l := &ledger{done: map[key]result{}}
	var all []*mutant
	reasons := map[key]string{}
	for i, outcome := range []string{"found", "found", "hung", "lives", "lives"} {
		m := &mutant{key: key{File: "scope/f.go", Was: string(rune('a' + i))}}
		all = append(all, m)
		l.done[m.key] = result{Outcome: outcome}
	}
	all = append(all, &mutant{key: key{File: "scope/f.go", Was: "never tried"}})
	reasons[all[4].key] = "it is the same"
	var out bytes.Buffer
	s := report(&out, all, map[string]string{}, l, reasons)
	if s != (score{found: 2, hung: 1, justified: 1, lives: 1}) || s.percent() != 75 {
		t.Errorf("%+v is %v %%", s, s.percent())
	}
	for _, want := range []string{"scope", "NOBODY NOTICES", "it is the same", "75.0 %"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "never tried") {
		t.Error("it tells of what was not tried")
	}
}

func TestTheSameSeedDrawsTheSameMutantsThatCompile(t *testing.T) {
	if !long.On(t) {
		return
	}
	draws := map[string]bool{}
	for _, words := range [][]string{{"-seed", "1"}, {"-seed", "1"}, {"-seed", "2"}} {
		var out bytes.Buffer
		words = append(words, "-list", "-sample", "5", "-results", filepath.Join(t.TempDir(), "none"), "./scope")
		if code := run(context.Background(), words, &out, os.Stderr); code != 0 || strings.Count(out.String(), "\n- ") != 5 {
			t.Fatalf("exit code %d: %s", code, out.String())
		}
		draws[out.String()] = true
	}
	if len(draws) != 2 {
		t.Errorf("%d draws of two seeds", len(draws))
	}
}

func TestTheCommandLineSaysWhatIsWrongWithIt(t *testing.T) {
	for words, want := range map[string]string{"-nothing": "not defined", "spec": "no suites", "-h": "usage: mutate"} {
		var errs bytes.Buffer
		code := run(context.Background(), []string{words}, &bytes.Buffer{}, &errs)
		if (code == 0) != (words == "-h") || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d, %q", words, code, errs.String())
		}
	}
}

// One mutant from its making to the report, with real tests.
func TestAMutantThatIsNoticedIsCounted(t *testing.T) {
	if !long.On(t) {
		return
	}
	words := []string{"-only", "roll.go (*roll).add: r.n++ → r.n--", "-sample", "1", "-results", filepath.Join(t.TempDir(), "results"), "scope"}
	var out bytes.Buffer
	if code := run(context.Background(), words, &out, os.Stderr); code != 0 || !strings.Contains(out.String(), "100.0 % (20.7 to 100.0)  found    1") {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	out.Reset()
	if code := run(context.Background(), words, &out, os.Stderr); code != 0 || !strings.Contains(out.String(), "0 to be tried") {
		t.Fatalf("it is tried again: %s", out.String())
	}
}
