package schema

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/internal/tools/trial"
)

const small = "internal/tools/mutate/schema/testdata/small"

// of is the change of the one place where the text says this.
func of(t *testing.T, number int, text []byte, was, becomes string) Change {
	t.Helper()
	start := bytes.Index(text, []byte(was))
	if start < 0 || bytes.Count(text, []byte(was)) > 1 {
		t.Fatalf("not one place says %q", was)
	}
	return Change{number, start, start + len(was), becomes}
}

func patient(string) time.Duration { return 2 * time.Second }

func TestARunTakesTheOneChangeThatIsOn(t *testing.T) {
	t.Parallel()
	root, err := trial.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, small, "small.go"))
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		was, becomes string
		want         trial.Outcome
		finding      string
	}{
		{"n + n", "n * n", trial.Found, "Twice is 9"},
		{"return n + n", "m := n; return n + m", trial.Lives, ""},
		{"Step++", "Step--", trial.Found, "Step is 0"},
		{"sum += n", "sum = n", trial.Found, "Sum is 3"},
		{"a + 0", "a + 1", trial.Found, "First is 5"},
		{"return a + 0", "return a - 0", trial.Lives, ""},
		{"3, nil", "*new(int), *new(error)", trial.Found, "Three is 0"},
		{"append(s.all, v)", "s.all", trial.Found, "Len is 0"},
		{"len(s.all)", "len(s.all) + 1", trial.Found, "Len is 3"},
		{`"a" + "stack"`, `"stack"`, trial.Found, "Kind is stack"},
		{"n > 0", "n > 1", trial.Found, "seen [3 2]"},
		{"seen(n)\n", "\n", trial.Found, "seen []"},
		{"sum += n\n", "for { sum += n }\n", trial.Hung, "did not end"},
		{"recover() == nil", "recover() != nil", trial.Found, "calm is true"},
		{"\treturn nil", "\treturn *new(any)", trial.Lives, ""},
		{"*err != nil", "*err == nil", trial.Unbuilt, ""}, // recovers itself
		{"Step = 1", "Step = 2", trial.Unbuilt, ""},       // outside
	}
	var changes []Change
	for i, row := range rows {
		changes = append(changes, of(t, i+1, text, row.was, row.becomes))
	}
	woven, refused, err := Weave(text, changes)
	if err != nil {
		t.Fatal(err)
	}
	c := &trial.Runner{Root: root, Dir: t.TempDir(), Limit: time.Minute, Memory: 2000}
	tests := trial.Tests{Package: "./" + small, Skip: "Inlined"}
	texts := map[string][]byte{small + "/small.go": woven, small + "/selvage_mutant.go": Switch("small")}
	binary, err := c.Build(t.Context(), t.TempDir(), texts, tests)
	if err != nil {
		t.Fatal(err)
	}
	try := func(number int) trial.Result {
		r, err := c.Watch(context.Background(), binary, tests, patient, fmt.Sprint(Variable, "=", number))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, none := range []int{0, Same, len(rows) + 1} {
		if r := try(none); r.Outcome != trial.Lives {
			t.Errorf("with %d: %v %s", none, r.Outcome, r.Finding)
		}
	}
	for i, row := range rows {
		switch is := slices.Contains(refused, changes[i]); {
		case is != (row.want == trial.Unbuilt):
			t.Errorf("%s: refused is %v", row.was, is)
		case !is:
			if r := try(i + 1); r.Outcome != row.want || !strings.Contains(r.Finding, row.finding) {
				t.Errorf("%s → %s: %v %q, want %v %q", row.was, row.becomes, r.Outcome, r.Finding, row.want, row.finding)
			}
		}
	}
}

func TestWhatIsWovenStaysOnItsLine(t *testing.T) {
	t.Parallel()
	text := []byte("package p\n\nfunc (T) f(int, ...string) { // why\n\tg()\n}\n\nfunc g() {}\n")
	woven, refused, err := Weave(text, []Change{of(t, 7, text, "g()\n", "")})
	if err != nil || len(refused) > 0 {
		t.Fatal(refused, err)
	}
	for _, want := range []string{
		"\n\nfunc (selvageReceiver0 T) f(selvageArgument0 int, selvageArgument1 ...string) { if selvageMutant",
		"case 7: selvageReceiver0.mutant7(selvageArgument0, selvageArgument1...); return; } }; // why\n\tg()\n}\n\nfunc g() {}\n",
		"func (T) mutant7(int, ...string) { // why\n\t}", "func (T) same7(",
	} {
		if !strings.Contains(string(woven), want) {
			t.Errorf("%q is not in\n%s", want, woven)
		}
	}
}

func TestOnlyGoIsWoven(t *testing.T) {
	t.Parallel()
	if _, _, err := Weave([]byte("package p; func"), nil); err == nil {
		t.Error("half a function is something")
	}
}
