package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/transcript"
)

// FuzzScript takes any text as a script: nothing in it panics or hangs the runner,
// finds a fault of the library, or makes two runs of it differ.
func FuzzScript(f *testing.F) {
	files, err := filepath.Glob("../testdata/*.txt")
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
	for _, text := range []string{"", "----", "\n\n", "next\n----\n----\n", "spawn \"", "#", "arm \x00 \xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Run("fuzz", text)
		if r.Fault() != "" {
			t.Errorf("%s\n%s", r.Fault(), r.Text())
		}
		if r.OK() == (r.Diff() != "") {
			t.Errorf("ok: %v, and a difference: %q", r.OK(), r.Diff())
		}
		if strings.Contains(text, transcript.Separator) {
			return // some of it may be what no rewriting makes right
		}
		again := Run("fuzz", Rewrite("fuzz", text))
		if !again.OK() {
			t.Errorf("a rewritten script fails:\n%s", again.Diff())
		}
	})
}
