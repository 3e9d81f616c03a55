package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/internal/tools/mutate/schema"
	"github.com/selvage-dev/selvage/internal/tools/trial"
)

const small = "internal/tools/mutate/schema/testdata/small"

// sieveOfSmall holds these changes of the small package, numbered from 1.
func sieveOfSmall(t *testing.T, out *bytes.Buffer, changes ...string) *sieve {
	t.Helper()
	root, err := trial.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, small, "small.go"))
	if err != nil {
		t.Fatal(err)
	}
	var woven []schema.Change
	for i, c := range changes {
		was, becomes, _ := strings.Cut(c, " → ")
		start := bytes.Index(text, []byte(was))
		woven = append(woven, schema.Change{Number: i + 1, Start: start, End: start + len(was), With: becomes})
	}
	file, refused, err := schema.Weave(text, woven)
	if err != nil || len(refused) > 0 {
		t.Fatal(refused, err)
	}
	texts := map[string][]byte{small + "/small.go": file, small + "/selvage_mutant.go": schema.Switch("small")}
	return newSieve(out, root, t.TempDir(), texts, 2000)
}

func TestTheSieveKnowsWhatItsJudgesNotice(t *testing.T) {
	if !long.On(t) {
		return
	}
	t.Parallel()
	var out bytes.Buffer
	s := sieveOfSmall(t, &out, "n + n → n * n", "n + n → 2 * n", "3, nil → 4, nil", "a + 0 → a + 1")
	all := trial.Tests{Package: "./" + small}
	functions := trial.Tests{Package: "./" + small, Run: "Functions"}
	panics := trial.Tests{Package: "./" + small, Run: "Panics"}
	for _, row := range []struct {
		number  int
		passed  int
		suites  []trial.Tests
		want    string
		finding string
	}{
		{1, 0, []trial.Tests{panics, all}, "found", "Twice is 9"},
		{2, 0, []trial.Tests{panics, all}, due, ""},
		{3, 0, []trial.Tests{all}, "found", "Three is 4"},
		{3, 0, []trial.Tests{panics}, due, ""},
		{4, 0, []trial.Tests{functions}, "found", "First is 5"},
		{4, 1, []trial.Tests{functions, panics}, due, ""},
	} {
		r, err := s.sift(context.Background(), result{key: key{File: "small.go"}, Passed: row.passed}, row.number, row.suites)
		if err != nil || r.Outcome != row.want || r.Outcome == due && r.Passed != len(row.suites) || !strings.Contains(r.Finding, row.finding) {
			t.Errorf("%d: %+v, %v", row.number, r, err)
		}
	}
	if n := strings.Count(out.String(), "built"); n != 1 {
		t.Errorf("one package's tests were built %d times", n)
	}
	if known := s.mesh[all].killers["small.go"]; len(known) != 1 || known[0] != "TestFunctions" {
		t.Errorf("tests to be run first: %v", known)
	}
}

func TestATestThatObjectsToTheWeavingHasNoSay(t *testing.T) {
	if !long.On(t) {
		return
	}
	t.Parallel()
	var out bytes.Buffer
	s := sieveOfSmall(t, &out, "return &b → p := &b; return p")
	tests := trial.Tests{Package: "./" + small, Run: "Inlined|Functions"}
	m, err := s.meshOf(t.Context(), tests)
	if err != nil || m.Skip != "^TestInlined$" || !strings.Contains(out.String(), "without TestInlined") {
		t.Errorf("%+v, %v: %s", m, err, out.String())
	}
}

func TestTheSieveIsGivenUpWhenTheWeavingIsWrong(t *testing.T) {
	if !long.On(t) {
		return
	}
	t.Parallel()
	s := sieveOfSmall(t, new(bytes.Buffer), "n + n → n * n")
	s.texts[small+"/small.go"] = bytes.Replace(s.texts[small+"/small.go"], []byte("Step++"), []byte(`panic("woven")`), 1)
	if _, err := s.meshOf(t.Context(), trial.Tests{Package: "./" + small}); err == nil || !strings.Contains(err.Error(), "without a mutant: panic: woven") {
		t.Errorf("got %v", err)
	}
}

func TestWhatTheSieveLetsThroughIsTried(t *testing.T) {
	l := &ledger{file: filepath.Join(t.TempDir(), "results"), done: map[key]result{}}
	m := &mutant{key: key{File: "scope/f.go", Was: "a"}}
	if err := l.add(result{key: m.key, Sum: "1", Outcome: due}); err != nil {
		t.Fatal(err)
	}
	if l.has(m, "1") || !l.sifted(m, "1") || l.sifted(m, "2") {
		t.Error("it is not a mutant that is still to be tried alone")
	}
	s := report(new(bytes.Buffer), []*mutant{m}, map[string]string{"scope/f.go": "1"}, l, nil)
	if s != (score{due: 1}) || s.percent() != 0 {
		t.Errorf("%+v is %v %%", s, s.percent())
	}
}

func TestTheScoreOfASampleHasAnInterval(t *testing.T) {
	for s, want := range map[score][2]float64{
		{found: 123, hung: 11, lives: 6}: {91.0, 98.0},
		{found: 10}:                      {72.2, 100},
		{same: 3, justified: 2}:          {0, 100},
	} {
		if low, high := s.between(); math.Abs(low-want[0]) > .05 || math.Abs(high-want[1]) > .05 {
			t.Errorf("%+v: %v to %v, want %v", s, low, high, want)
		}
	}
}

// One mutant through the sieve, with real tests.
func TestAMutantThatTheSieveNoticesIsNotTried(t *testing.T) {
	if !long.On(t) {
		return
	}
	t.Parallel()
	words := []string{"-sieve", "-only", "roll.go (*roll).add: r.n++ → r.n--", "-sample", "1", "-results", filepath.Join(t.TempDir(), "results"), "scope"}
	var out bytes.Buffer
	if code := run(t.Context(), words, &out, os.Stderr); code != 0 || !strings.Contains(out.String(), "1 fit into the sieve") || !strings.Contains(out.String(), "found    1") {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
}
