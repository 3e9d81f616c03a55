package script

import (
	"strings"
	"testing"
)

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func TestAScriptWithTheRightOutputPasses(t *testing.T) {
	r := Run("x", lines("# a story", "", "spawn a", "# in between", "", "----", "nonsense"))
	if r.OK() {
		t.Error("an output without a command passed")
	}
	r = Run("x", lines("spawn a  # a word about it", separator, "spawn: a is f0.1", "  a: dead → runnable"))
	if !r.OK() || r.Diff() != "" {
		t.Error(r.Diff())
	}
}

func TestADifferenceShowsPlaceCommandsAndLines(t *testing.T) {
	r := Run("dir/x.txt", lines("# a story", "spawn a", "next", separator, "spawn: a is f0.1", "  a: dead → blocked", "next: a", "  a: runnable → running"))
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
	want := lines("# a story", "spawn a", separator, "spawn: a is f0.1", "  a: dead → runnable", "",
		"# the end of it", "oops", "next", separator,
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
	if text := r.Text(); strings.Count(text, "next: nobody") != maxCommands || !strings.Contains(text, "at most 2000 commands") {
		t.Errorf("%d commands were carried out", strings.Count(text, "next: nobody"))
	}
}

// A fault is not an output like another: rewriting cannot make it pass.
func TestAFaultOfTheLibraryIsReportedBesideTheOutput(t *testing.T) {
	w := newWorld("x")
	w.line = 7
	w.guard(func() { panic("out of order") })
	if want := "x:7: internal error: out of order"; w.fault != want {
		t.Errorf("fault %q, want %q", w.fault, want)
	}
	w.unchanged("what it was before")
	if out := strings.Join(w.takeOutput(), "\n"); !strings.Contains(out, "the refusal changed the state") {
		t.Errorf("a refusal that changed something was not noticed:\n%s", out)
	}
}

func TestEveryCommandHasAUsageThatBeginsWithItsName(t *testing.T) {
	names := map[string]bool{}
	for _, c := range commands() {
		if names[c.name] {
			t.Errorf("%s is in the table twice", c.name)
		}
		names[c.name] = true
		if word, _, _ := strings.Cut(c.usage, " "); word != c.name {
			t.Errorf("usage of %s: %s", c.name, c.usage)
		}
		if !strings.Contains(Commands(), c.usage+"\n") {
			t.Errorf("%s is not listed", c.name)
		}
	}
}

// The difference of two long texts is found in bounded memory.
func TestTheDifferenceOfLongTextsIsBounded(t *testing.T) {
	long := strings.Split(strings.Repeat("x\n", maxTable), "\n")
	if n := shared(long, long)(0, 0); n != 0 {
		t.Errorf("%d lines counted", n)
	}
	if marked := mark(long[:3000], long[:2000]); len(marked) != 3000 {
		t.Errorf("%d lines", len(marked))
	}
}

func TestOfLongCommonRunsOnlyTheEndsAppear(t *testing.T) {
	for _, c := range []struct{ want, got, diff string }{
		{"1 2 3 4 5 6 7 8 9", "1 2 3 4 X 6 7 8 9", "… 2 3 4 -5 +X 6 7 8 …"},
		{"1 2 3", "1 2 3 4", "1 2 3 +4"},
		{"1 2 3 4 5", "1 2 3 4 5 6", "… 3 4 5 +6"},
		{"1 2 3 4 5 6 7 8 9", "2 3 4 5 6 7 8", "-1 2 3 4 … 6 7 8 -9"},
		{"1 2 3 4 5 6", "1 2 3 4 5 6", "…"},
		{"", "1", "+1"},
	} {
		var b strings.Builder
		diff(&b, strings.Fields(c.want), strings.Fields(c.got))
		got := strings.NewReplacer("-   ", "-", "+   ", "+").Replace(b.String())
		if got := strings.Join(strings.Fields(got), " "); got != c.diff {
			t.Errorf("%s and %s: %s, want %s", c.want, c.got, got, c.diff)
		}
	}
}
