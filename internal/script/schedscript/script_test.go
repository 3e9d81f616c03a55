package schedscript

import (
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/script"
)

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func TestAScriptWithTheRightOutputPasses(t *testing.T) {
	r := Run("x", lines("# a story", "", "spawn a", "# in between", "", "----", "nonsense"))
	if r.OK() {
		t.Error("an output without a command passed")
	}
	r = Run("x", lines("spawn a  # a word about it", script.Separator, "spawn: a is f0.1", "  a: dead → runnable"))
	if !r.OK() || r.Diff() != "" {
		t.Error(r.Diff())
	}
}

func TestADifferenceShowsPlaceCommandsAndLines(t *testing.T) {
	r := Run("dir/x.txt", lines("# a story", "spawn a", "next", script.Separator, "spawn: a is f0.1", "  a: dead → blocked", "next: a", "  a: runnable → running"))
	want := lines(
		"dir/x.txt:2: the output is not as expected (-want +got)",
		"    spawn a",
		"    next",
		"    ----",
		"    spawn: a is f0.1",
		"-     a: dead → blocked",
		"+     a: dead → runnable",
		"    next: a",
		"      a: runnable → running",
	)
	if r.Diff() != want {
		t.Errorf("got:\n%swant:\n%s", r.Diff(), want)
	}
}

func TestRewriteWritesWhatCameAndKeepsTheRest(t *testing.T) {
	before := lines("# a story", "spawn a", "", "# the end of it", "oops", "next", "", "# epilogue")
	want := lines("# a story", "spawn a", script.Separator, "spawn: a is f0.1", "  a: dead → runnable", "",
		"# the end of it", "oops", "next", script.Separator,
		`x.txt:8: no command "oops"; docs/scripts.md lists them`, "next: a", "  a: runnable → running", "", "# epilogue")
	got := Rewrite("some/where/x.txt", before)
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if again := Rewrite("some/where/x.txt", got); again != got {
		t.Errorf("a second rewriting changed it:\n%s", again)
	}
}

func TestWindowsLineEndsMakeNoDifference(t *testing.T) {
	if r := Run("x", "spawn a\r\n----\r\nspawn: a is f0.1\r\n  a: dead → runnable\r\n"); !r.OK() {
		t.Error(r.Diff())
	}
}

func TestALongScriptIsCutOff(t *testing.T) {
	r := Run("x", strings.Repeat("next\n", 10*maxCommands))
	if text := r.Text(); strings.Count(text, "next: no fiber") != maxCommands || !strings.Contains(text, "at most 2000 commands") {
		t.Errorf("%d commands were carried out", strings.Count(text, "next: no fiber"))
	}
}

// A fault is not an output like another: rewriting cannot make it pass.
func TestAFaultOfTheLibraryIsReportedBesideTheOutput(t *testing.T) {
	w := newWorld("x")
	w.Begin(script.Line{Number: 7}, maxCommands)
	w.guard(func() { panic("out of order") })
	if want := "x:7: internal error: out of order"; w.Fault() != want {
		t.Errorf("fault %q, want %q", w.Fault(), want)
	}
	w.unchanged("what it was before")
	if out := strings.Join(w.TakeOutput(), "\n"); !strings.Contains(out, "the refusal changed the state") {
		t.Errorf("a refusal that changed something was not noticed:\n%s", out)
	}
}

func TestEveryCommandHasOneRowOfTheTable(t *testing.T) {
	names := map[string]bool{}
	for _, c := range commands().Commands {
		if names[c.Name()] {
			t.Errorf("%s is in the table twice", c.Name())
		}
		names[c.Name()] = true
		if c.Help == "" || c.Do == nil {
			t.Errorf("%s has no help or no function", c.Name())
		}
	}
}
