package trace_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/spec/replay"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/trace"
)

var rewrite = flag.Bool("rewrite", false, "write the journals into testdata instead of comparing them")

// The golden journals. journal.ndjson is that of seed 1, for people to read and for the
// tests of spec/replay, explored.ndjson that of a run whose next fibers are chosen at random;
// journals.txt has the length and the hash of those of all seeds.
const (
	journal  = "testdata/journal.ndjson"
	explored = "testdata/explored.ndjson"
	journals = "testdata/journals.txt"
	seeds    = 40
)

// journalOf is everything the scheduler did in the program of a seed.
func journalOf(t *testing.T, seed uint64, on stackful.Backing) string {
	t.Helper()
	return journalOfRun(t, seed, on, nil)
}

// exploredJournal is that of a run in which the next fiber is chosen at random.
func exploredJournal(t *testing.T, seed uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	return journalOfRun(t, seed, stackful.Coroutine, func(c scheduler.Choice) int { return rng.IntN(c.Options) })
}

func journalOfRun(t *testing.T, seed uint64, on stackful.Backing, choose func(scheduler.Choice) int) string {
	t.Helper()
	var out bytes.Buffer
	cfg := stackful.Config{Config: scheduler.Config{Seed: seed, Grace: 700 * time.Nanosecond, Choose: choose}, Backing: on}
	w := trace.New(&out, &cfg.Config)
	err := newProgram(stackful.New(cfg)).run()
	if stuck := (*scheduler.DeadlockError)(nil); err != nil && !errors.As(err, &stuck) {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func hashes(t *testing.T, on stackful.Backing) string {
	t.Helper()
	var b strings.Builder
	for seed := range uint64(seeds) {
		text := journalOf(t, seed, on)
		fmt.Fprintf(&b, "seed %2d: %5d lines, sha256 %x\n", seed, strings.Count(text, "\n"), sha256.Sum256([]byte(text)))
	}
	return b.String()
}

// The same seed gives the same journal, byte by byte, whatever this binary was built
// for: every platform, the race detector and the checked build run this test and have
// the same golden file. .ci/run does it for some of each.
func TestASeedGivesTheSameJournalInEveryBuildAtAnyGOMAXPROCS(t *testing.T) {
	if *rewrite {
		write(t, journals, hashes(t, stackful.Coroutine))
		write(t, journal, journalOf(t, 1, stackful.Coroutine))
		write(t, explored, exploredJournal(t, 1))
	}
	want, text := golden(t, journals), golden(t, journal)
	if line := firstDifference(exploredJournal(t, 1), golden(t, explored)); line != 0 {
		t.Errorf("the journal of the explored run differs from line %d on", line)
	}
	for _, on := range [...]stackful.Backing{stackful.Coroutine, stackful.Goroutine} {
		for _, procs := range [...]int{1, 2, 8} {
			before := runtime.GOMAXPROCS(procs)
			got, one := hashes(t, on), journalOf(t, 1, on)
			runtime.GOMAXPROCS(before)
			if got != want {
				t.Errorf("GOMAXPROCS %d, %v: the journals are\n%snot\n%s", procs, on, got, want)
			}
			if line := firstDifference(one, text); line != 0 {
				t.Errorf("GOMAXPROCS %d, %v: the journal differs from line %d on", procs, on, line)
			}
		}
	}
}

func TestEveryJournalFollowsTheSpecification(t *testing.T) {
	for seed := range uint64(seeds) {
		if _, err := replay.Check(strings.NewReader(journalOf(t, seed, stackful.Coroutine))); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if _, err := replay.Check(strings.NewReader(exploredJournal(t, seed))); err != nil {
			t.Errorf("seed %d, explored: %v", seed, err)
		}
	}
}

// A journal in which little happens would be the same by accident.
func TestTheJournalsHaveEveryKindOfLine(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(seeds) {
		all.WriteString(journalOf(t, seed, stackful.Coroutine))
	}
	if text := all.String(); journalOf(t, 0, stackful.Coroutine) == journalOf(t, 1, stackful.Coroutine) {
		t.Errorf("two seeds have the same journal of %d bytes", len(text)/seeds)
	}
	for _, line := range []string{
		`"op":"spawn"`, `"op":"schedule"`, `"op":"yield"`, `"op":"disarm"`, `"op":"exit"`,
		`"on":"queue"`, `"on":"timer"`, `"on":"io"`, `"op":"acquire"`, `"op":"release"`, `"op":"mask"`, `"op":"unmask"`,
		`"says":"parked"`, `"says":"requeued"`, `"says":"resumed"`, `"says":"cancelled"`, `"says":"killed"`,
		`"says":"woken"`, `"says":"stale"`, `"says":"gone"`, `"says":"wrong-source"`, `"says":"late"`, `"says":"duplicate"`,
		`"op":"deadline"`, `"grace":true}`, `"op":"submit"`, `"op":"complete"`, `"op":"cancel"`, `"op":"kill"`, `"op":"end"`,
	} {
		if !strings.Contains(all.String(), line) {
			t.Errorf("no journal has %s", line)
		}
	}
}

func golden(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// firstDifference is the number of the first line that is not the same, or 0.
func firstDifference(a, b string) int {
	if a == b {
		return 0
	}
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range as {
		if i >= len(bs) || as[i] != bs[i] {
			return i + 1
		}
	}
	return len(as) + 1
}
