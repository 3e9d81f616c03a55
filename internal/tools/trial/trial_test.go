package trial

import (
	"context"
	"errors"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/internal/long"
)

// small is a module with one function and one test of it.
func small(t *testing.T) *Runner {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module small\n\ngo 1.26\n",
		"twice/twice.go":      right,
		"twice/twice_test.go": "package twice\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(3) != 6 {\n\t\tt.Fatal(\"three and three\")\n\t}\n}\n\nfunc TestOther(t *testing.T) {}\n",
	} {
		name = filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return &Runner{Root: root, Dir: t.TempDir(), Limit: 10 * time.Minute}
}

const right = "package twice\n\nfunc Twice(n int) int { return n + n }\n"

func instead(old, text string) map[string][]byte {
	return map[string][]byte{"twice/twice.go": []byte(strings.Replace(right, old, text, 1))}
}

func TestAChangeIsJudgedByTheTestsAndLeavesTheSourceAlone(t *testing.T) {
	if !long.On(t) {
		return
	}
	c := small(t)
	for _, trial := range []struct {
		name    string
		texts   map[string][]byte
		tests   Tests
		limit   time.Duration
		want    Outcome
		finding string
	}{
		{"nothing", nil, Tests{}, 10 * time.Minute, Lives, ""},
		{"other code", instead("n + n", "map[int]int{n: 2 * n}[n]"), Tests{}, 10 * time.Minute, Lives, ""},
		{"a mistake", instead("n + n", "n * n"), Tests{}, 10 * time.Minute, Found, "three and three"},
		{"a mistake that no test looks at", instead("n + n", "n * n"), Tests{Run: "Other"}, 10 * time.Minute, Lives, ""},
		{"a mistake that is left out", instead("n + n", "n * n"), Tests{Skip: "Twice"}, 10 * time.Minute, Lives, ""},
		{"a panic", instead("return n + n", `panic("oh")`), Tests{}, 10 * time.Minute, Found, "panic: oh"},
		{"a loop", instead("return n + n", "for { n++ }"), Tests{}, 100 * time.Millisecond, Hung, "did not end"},
		{"no Go", instead("n + n", "n +"), Tests{}, 10 * time.Minute, Unbuilt, "syntax error"},
	} {
		c.Limit = trial.limit
		trial.tests.Package = "./twice"
		r, err := c.Try(context.Background(), trial.texts, trial.tests)
		if err != nil || r.Outcome != trial.want || !strings.Contains(r.Finding, trial.finding) {
			t.Errorf("%s: %v %q, %v; want %v %q", trial.name, r.Outcome, r.Finding, err, trial.want, trial.finding)
		}
	}
	if text, err := os.ReadFile(filepath.Join(c.Root, "twice/twice.go")); err != nil || string(text) != right {
		t.Errorf("the source is now %q, %v", text, err)
	}
	if left, err := os.ReadDir(c.Dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestATrialThatIsGivenUpIsNoVerdict(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := small(t).Try(ctx, nil, Tests{Package: "./twice"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheCompilerIsAskedWithoutABuild(t *testing.T) {
	if !long.On(t) {
		return
	}
	c := small(t)
	compiler, err := NewCompiler(c.Root, "./twice")
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.Compiles(instead("n + n", "n * n")); err != nil {
		t.Error(err)
	}
	var wrong types.Error
	if err := compiler.Compiles(instead("n + n", "m")); !errors.As(err, &wrong) {
		t.Errorf("an unknown name is %v", err)
	}
	if err := compiler.Compiles(instead("return n + n", "m := n; return n")); err == nil {
		t.Error("an unused variable compiles")
	}
	if compiler.Compiles(instead("n + n", "n +")) == nil {
		t.Error("half an expression compiles")
	}
}

func TestWhatTheCompilerMakesTheSameCodeOfIsTheSame(t *testing.T) {
	if !long.On(t) {
		return
	}
	c := small(t)
	for words, same := range map[string]bool{"n + n": true, "n + (n + 0)": true, "n * n": false, "n + n + 1": false} {
		if got, err := c.Same(context.Background(), instead("n + n", words), "./twice"); err != nil || got != same {
			t.Errorf("%s: the same %v, %v", words, got, err)
		}
	}
	if _, err := c.Same(context.Background(), instead("n + n", "n +"), "./twice"); err == nil {
		t.Error("half an expression is something")
	}
}

func TestTheMemoryOfTestsHasALimit(t *testing.T) {
	if !long.On(t) {
		return
	}
	if v, why := classify("fatal error: runtime: out of memory\n", false); v != Hung || why != "the tests ran out of memory" {
		t.Errorf("%v %s", v, why)
	}
	c := small(t)
	c.Memory = 2000
	r, err := c.Try(context.Background(), instead("return n + n", "return len(make([]byte, n<<30))"), Tests{Package: "./twice"})
	if err != nil || r.Outcome != Hung {
		t.Errorf("three gigabytes of two: %v %q, %v", r.Outcome, r.Finding, err)
	}
}

func TestWatchedTestsMayTakeTheirTimeAndNotBeSilent(t *testing.T) {
	if !long.On(t) {
		return
	}
	c := small(t)
	tests := Tests{Package: "./twice"}
	for _, trial := range []struct {
		becomes       string
		want          Outcome
		finding, test string
	}{
		{"n + n", Lives, "", ""},
		{"n * n", Found, "three and three", "TestTwice"},
		{"func() int { for { n++ } }()", Hung, "did not end", "TestTwice"},
		{"func() int { for { println(n) } }()", Hung, "did not end", "TestTwice"},
		{"func() int { select {} }()", Found, "deadlock", "TestTwice"},
	} {
		binary, err := c.Build(t.Context(), t.TempDir(), instead("n + n", trial.becomes), tests)
		if err != nil {
			t.Fatal(err)
		}
		may := 10 * time.Minute
		if trial.want == Hung {
			may = time.Second
		}
		r, err := c.Watch(t.Context(), binary, tests, func(string) time.Duration { return may }, "SOME=thing")
		if err != nil || r.Outcome != trial.want || r.Test != trial.test || len(r.Each) != map[Outcome]int{Lives: 2}[r.Outcome] || !strings.Contains(r.Finding, trial.finding) {
			t.Errorf("%s: %v %q in %q, %v", trial.becomes, r.Outcome, r.Finding, r.Test, err)
		}
	}
	var refused *RefusedError
	if _, err := c.Build(t.Context(), t.TempDir(), instead("n + n", "n +"), tests); !errors.As(err, &refused) || !strings.Contains(err.Error(), "syntax error") {
		t.Errorf("half an expression is built: %v", err)
	}
}

func TestWhatATestLoggedThatPassedIsNoFinding(t *testing.T) {
	const said = "=== RUN   TestA\n    a_test.go:1: fine\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n=== RUN   TestB/c\n    b_test.go:2: wrong\n--- FAIL: TestB (0.00s)\n    --- FAIL: TestB/c (0.00s)\n"
	if v, finding := classify(failing(said), false); v != Found || finding != "b_test.go:2: wrong" || lastTest(said) != "TestB" {
		t.Errorf("%v %q in %q", v, finding, lastTest(said))
	}
}

func TestEachTestHasItsTime(t *testing.T) {
	got := durations("=== RUN   TestA\n--- PASS: TestA (1.50s)\n    --- PASS: TestA/b (0.70s)\n--- FAIL: TestC (0.10s)\n")
	if len(got) != 1 || got["TestA"] != 2200*time.Millisecond {
		t.Errorf("got %v", got)
	}
}

func TestABodyCompilesOrNotWithoutTheOthers(t *testing.T) {
	if !long.On(t) {
		return
	}
	c := small(t)
	other := []byte("package twice\n\nimport \"strconv\"\n\nfunc Text[V ~int](n V) string { return strconv.Itoa(Twice(int(n))) }\n")
	if err := os.WriteFile(filepath.Join(c.Root, "twice/text.go"), other, 0o644); err != nil {
		t.Fatal(err)
	}
	compiler, err := NewCompiler(c.Root, "./twice")
	if err != nil {
		t.Fatal(err)
	}
	for becomes, compiles := range map[string]bool{"n + n": true, "len(Text(n))": true, "m": false, "Text(n)": false, "n +": false} {
		if err := compiler.BodyCompiles("twice/twice.go", instead("n + n", becomes)["twice/twice.go"]); (err == nil) != compiles {
			t.Errorf("%s: %v", becomes, err)
		}
	}
	for was, compiles := range map[string]bool{"n V": true, "strconv.Itoa(Twice(int(n)))": false} { // strconv is not needed then
		text := strings.Replace(string(other), was, map[bool]string{true: "n V", false: "string(n)"}[compiles], 1)
		if err := compiler.BodyCompiles("twice/text.go", []byte(text)); (err == nil) != compiles {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTestsReadAsTheCommandThatRunsThem(t *testing.T) {
	got := Tests{Package: "./wait", Run: "A|B", Skip: "C", Tags: "invariants"}.String()
	if want := "SELVAGE_LONG=1 go test -short -tags 'invariants' -run 'A|B' -skip 'C' ./wait"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if Lives.String() != "lives" || Outcome(9).String() != "invalid outcome" {
		t.Error("an outcome has another name")
	}
}
