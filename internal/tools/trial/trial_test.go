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
)

// small is a module with one function and one test of it.
func small(t *testing.T) *Court {
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
	return &Court{Root: root, Dir: t.TempDir(), Limit: time.Minute}
}

const right = "package twice\n\nfunc Twice(n int) int { return n + n }\n"

func instead(old, text string) map[string][]byte {
	return map[string][]byte{"twice/twice.go": []byte(strings.Replace(right, old, text, 1))}
}

func TestAChangeIsJudgedByTheTestsAndLeavesTheSourceAlone(t *testing.T) {
	c := small(t)
	for _, trial := range []struct {
		name    string
		texts   map[string][]byte
		tests   Tests
		limit   time.Duration
		want    Verdict
		finding string
	}{
		{"nothing", nil, Tests{}, time.Minute, Lives, ""},
		{"other code", instead("n + n", "map[int]int{n: 2 * n}[n]"), Tests{}, time.Minute, Lives, ""},
		{"a mistake", instead("n + n", "n * n"), Tests{}, time.Minute, Found, "three and three"},
		{"a mistake that nobody looks at", instead("n + n", "n * n"), Tests{Run: "Other"}, time.Minute, Lives, ""},
		{"a mistake that is left out", instead("n + n", "n * n"), Tests{Skip: "Twice"}, time.Minute, Lives, ""},
		{"a panic", instead("return n + n", `panic("oh")`), Tests{}, time.Minute, Found, "panic: oh"},
		{"a loop", instead("return n + n", "for { n++ }"), Tests{}, 100 * time.Millisecond, Hung, "did not end"},
		{"no Go", instead("n + n", "n +"), Tests{}, time.Minute, Unbuilt, "syntax error"},
	} {
		c.Limit = trial.limit
		trial.tests.Package = "./twice"
		r, err := c.Try(context.Background(), trial.texts, trial.tests)
		if err != nil || r.Verdict != trial.want || !strings.Contains(r.Finding, trial.finding) {
			t.Errorf("%s: %v %q, %v; want %v %q", trial.name, r.Verdict, r.Finding, err, trial.want, trial.finding)
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
	if v, why := judge("fatal error: runtime: out of memory\n", false); v != Hung || why != "the tests ran out of memory" {
		t.Errorf("%v %s", v, why)
	}
	c := small(t)
	c.Memory = 2000
	r, err := c.Try(context.Background(), instead("return n + n", "return len(make([]byte, n<<30))"), Tests{Package: "./twice"})
	if err != nil || r.Verdict != Hung {
		t.Errorf("three gigabytes of two: %v %q, %v", r.Verdict, r.Finding, err)
	}
}

func TestTestsReadAsTheCommandThatRunsThem(t *testing.T) {
	got := Tests{Package: "./wait", Run: "A|B", Skip: "C", Tags: "invariants"}.String()
	if want := "go test -short -tags 'invariants' -run 'A|B' -skip 'C' ./wait"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if Lives.String() != "lives" || Verdict(9).String() != "invalid verdict" {
		t.Error("a verdict has another name")
	}
}
