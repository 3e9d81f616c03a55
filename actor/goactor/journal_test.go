package goactor_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/actor"
)

var (
	rewrite = flag.Bool("rewrite", false, "write the journals into testdata instead of comparing them")
	replays = flag.Int("replays", 40, "how many seeds to record and replay")
)

// The golden journals. journal.ndjson is that of seed 1, for people to read; journals.txt has
// the length and the hash of those of all seeds.
const (
	journal  = "testdata/journal.ndjson"
	journals = "testdata/journals.txt"
	seeds    = 12
)

func hashes(t *testing.T) string {
	var b strings.Builder
	for seed := range uint64(seeds) {
		text := record(t, seed)
		fmt.Fprintf(&b, "seed %2d: %5d lines, sha256 %x\n", seed, strings.Count(text, "\n"), sha256.Sum256([]byte(text)))
	}
	return b.String()
}

func golden(t *testing.T, path, got string) string {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Whatever this binary was built for: .ci/run runs it for a machine of 32 bits, too.
func TestASeedGivesTheSameJournalInEveryBuildAtAnyGOMAXPROCS(t *testing.T) {
	want, text := golden(t, journals, hashes(t)), golden(t, journal, record(t, 1))
	for _, procs := range [...]int{1, 2, 8} {
		before := runtime.GOMAXPROCS(procs)
		got, one := hashes(t), record(t, 1)
		runtime.GOMAXPROCS(before)
		if got != want || one != text {
			t.Errorf("GOMAXPROCS %d: the journals are\n%snot\n%s", procs, got, want)
		}
	}
}

func TestEveryJournalReplaysToTheLastLine(t *testing.T) {
	for seed := range uint64(*replays) {
		text := record(t, seed)
		if err := replay(t, seed, strings.NewReader(text)); err != nil {
			t.Errorf("seed %d, %d lines: %v", seed, strings.Count(text, "\n"), err)
		}
	}
}

// A journal in which little happens would replay by accident.
func TestTheJournalsHaveEveryKindOfLine(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(3 * seeds) {
		all.WriteString(record(t, seed))
	}
	for _, kind := range []string{
		`"turn":`, `"do":"spawn"`, `"do":"send"`, `"do":"kill"`, `"do":"fail"`, `"blocked":true`, `"failed":true`,
		`"in":"send"`, `"in":"spawn"`, `"in":"kill"`, `"in":"fail"`, `"in":"watch"`, `"in":"unwatch"`, `"in":"link"`,
		`"in":"start"`, `"in":"ended"`, `"in":"read"`, `"in":"lost"`, `"in":"unseen"`, `"in":"told"`, `"in":"panic"`, `"end":`,
	} {
		if !strings.Contains(all.String(), kind) {
			t.Errorf("no journal has %s", kind)
		}
	}
}

// Any other command than the one that is carried out is found where it stands. Another input
// is another run, which ends with a difference further on, or with the checksum.
func TestTheFirstDifferenceIsFoundAndNamed(t *testing.T) {
	text := record(t, 1)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines[:len(lines)-2] {
		if i%7 != 0 { // every one would take a second
			continue
		}
		changed := strings.Replace(line, `"to":"a`, `"to":"a1`, 1)
		err := replay(t, 1, strings.NewReader(strings.Join(lines[:i], "")+changed+strings.Join(lines[i+1:], "")))
		var e *actor.JournalError
		switch {
		case changed == line:
		case err == nil:
			t.Errorf("line %d was changed, and it replays", i+1)
		case strings.HasPrefix(line, `{"do":`):
			want := fmt.Sprintf("actor: journal, line %d: the replay differs:\n  journal: %s\n  replay:  %s", i+1, strings.TrimSpace(changed), strings.TrimSpace(line))
			if !errors.As(err, &e) || e.Line != i+1 || !errors.Is(err, actor.ErrReplayDiffers) || err.Error() != want {
				t.Errorf("line %d was changed: %v", i+1, err)
			}
		}
	}
}

// Every cut, and flipped bits all over the text.
func TestAJournalThatIsCutOrChangedIsRefused(t *testing.T) {
	text := record(t, 4)
	for i := 0; i < len(text); i += 1 + i/40 {
		if err := replay(t, 4, strings.NewReader(text[:i])); err == nil {
			t.Errorf("cut behind %d bytes it replays", i)
		}
		flipped := []byte(text)
		flipped[i] ^= 1 << (i % 8)
		if err := replay(t, 4, bytes.NewReader(flipped)); err == nil {
			t.Errorf("with a bit of byte %d flipped it replays", i)
		}
	}
	if err := replay(t, 4, strings.NewReader(text+"\n")); !strings.Contains(fmt.Sprint(err), "behind the last line") {
		t.Errorf("%v", err)
	}
	if err := replay(t, 5, strings.NewReader(text)); !strings.Contains(fmt.Sprint(err), `"seed":5`) {
		t.Errorf("%v", err)
	}
}

// Whatever a journal says: an error, never a panic, and an end.
func FuzzReplay(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(record(f, seed))
	}
	f.Add(`{"journal":"selvage actors","version":1,"seed":4}` + "\n" + `{"in":"read","to":"a1.1","n":9223372036854775807}`)
	f.Add(`{"journal":"selvage actors","version":1,"seed":4}` + "\n" + `{"turn":-1}` + "\n" + `{"turn":9223372036854775807}`)
	f.Fuzz(func(t *testing.T, text string) {
		if err := replay(t, 4, strings.NewReader(text)); err == nil && text != record(t, 4) {
			t.Error("it replays, and is not what the system writes")
		}
	})
}
