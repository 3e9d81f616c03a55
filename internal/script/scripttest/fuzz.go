package scripttest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/script"
)

// Fuzz runs any text as a script: nothing in it makes the runner panic or hang, shows a fault of
// the library, or makes two runs differ, and a rewritten script passes. It begins with the
// scripts that the pattern matches, the texts, and random lines made from the command table.
func (l Language) Fuzz(f *testing.F, pattern string, texts ...string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		f.Fatalf("no scripts to begin with (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, text := range append(texts, "", "----", "\n\n", "#", "\u00a0", "a\n----\n----\n", "a \x00 \xff \"") {
		f.Add(text)
	}
	for seed := range uint64(20) {
		f.Add(l.random(rand.New(rand.NewPCG(seed, 3)), 40))
	}
	f.Fuzz(l.check)
}

func (l Language) check(t *testing.T, text string) {
	r := l.Run("fuzz", text)
	if r.Fault() != "" {
		t.Errorf("%s\n%s", r.Fault(), r.Text())
	}
	if r.OK() == (r.Diff() != "") {
		t.Errorf("ok: %v, and a difference: %q", r.OK(), r.Diff())
	}
	if again := l.Run("fuzz", text); again.Text() != r.Text() {
		t.Errorf("two runs differ:\n%s\n%s", r.Text(), again.Text())
	}
	if strings.Contains(text, script.Separator) {
		return // an output without a command fails after rewriting too
	}
	if again := l.Run("fuzz", l.rewrite("fuzz", text)); !again.OK() {
		t.Errorf("a rewritten script fails:\n%s", again.Diff())
	}
}

// random is a script of random lines that follow the usages. The few words make it likely that
// a command means what an earlier one made.
func (l Language) random(rng *rand.Rand, length int) string {
	words := []string{"a", "b", "c", "1", "2", "1s", "a#1", "b#2", "f0.1", "t0.1", "<-c", "c<-1", "queue", "done", "root", "x"}
	var b strings.Builder
	for range length {
		b.WriteString(script.Sample(l.Usages[rng.IntN(len(l.Usages))], rng, func(string) string {
			return words[rng.IntN(len(words))]
		}) + "\n")
	}
	return b.String()
}
