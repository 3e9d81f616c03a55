package stackful

import (
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/selvage-dev/selvage/wait"
)

// playOut runs a program to its end and returns all that was seen, and what was wrong.
func playOut(p program, b Backing, procs int) *world {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	w := newWorld(p, b)
	w.play()
	w.settle()
	w.Close()
	return w
}

// rounds of a hundred programs each; -rapid.checks makes them longer.
const rounds = 20

func TestNoProgramLosesAnythingOrEndsDifferently(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	seen := map[string]int{}
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			p := drawProgram(t)
			first, again := playOut(p, Coroutine, 2), playOut(p, Goroutine, 1)
			if len(first.wrong) > 0 {
				t.Fatalf("%s\n\nlog:\n%s", strings.Join(first.wrong, "\n"), strings.Join(first.log, "\n"))
			}
			if i := difference(first.log, again.log); i >= 0 {
				t.Fatalf("event %d differs, logs:\n%s\n\n%s", i, strings.Join(first.log, "\n"), strings.Join(again.log, "\n"))
			}
			first.mark(seen)
		})
	}
	for _, what := range remarkable() {
		if seen[what] == 0 {
			t.Errorf("in %d programs nothing was %q: the property looks at too little", rounds*100, what)
		}
	}
	t.Log(seen)
}

func difference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// remarkable is what must have happened in some program or other.
func remarkable() []string {
	return []string{": lost", ": received", ": left over", "timed out", "cancelled:", "killed:", "poisoned",
		"deadlock:", "closed", "panicked", "goexit", "grace", "failed", "own end", "holds the lock", "only the owner",
		"signaled", "ran it", "done by another", "run failed", "asked for", "gives back", "the group", ": fired", "in time true", "by the timer"}
}

func (w *world) mark(seen map[string]int) {
	all := strings.Join(w.log, "\n")
	for _, what := range remarkable() {
		if strings.Contains(all, what) {
			seen[what]++
		}
	}
}

func TestTheBooksOfTheWorldNoticeWhatIsWrong(t *testing.T) {
	p := program{caps: []int{0}, policies: []wait.OwnerDeath{wait.Poison}, permits: 1, actors: []script{{}}}
	for what, spoil := range map[string]func(w *world){
		"a value that is gone":           func(w *world) { w.sent[10] = accepted },
		"a value that is there twice":    func(w *world) { w.sent[10] = accepted; w.seen[10] = 2 },
		"a value that was taken back":    func(w *world) { w.sent[10] = refused; w.seen[10] = 1 },
		"an end that is not the own":     func(w *world) { w.finished[0] = "left" },
		"a loss that was not reported":   func(w *world) { w.losses++ },
		"a lock that outlives its owner": func(w *world) { _, _ = w.locks[0].TryLock(w.tasks[0].ID()) },
		"a reader that is gone":          func(w *world) { _, _ = w.rw.TryRLock(w.tasks[0].ID()) },
		"a permit that is gone":          func(w *world) { _, _ = w.sem.TryAcquire(w.tasks[0].ID(), 1) },
		"a run without an end":           func(w *world) { _, _, _ = w.once.TryRun(w.tasks[0].ID()) },
		"a thing done twice":             func(w *world) { w.done = 2 },
	} {
		w := newWorld(p, Coroutine)
		w.play()
		spoil(w)
		w.settle()
		w.Close()
		if len(w.wrong) == 0 {
			t.Errorf("%s went unnoticed", what)
		}
	}
}
