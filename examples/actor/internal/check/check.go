package check

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/selvage-dev/selvage/actor/script"
)

// Rewrite tells whether to write the golden files instead of comparing them. It is called
// before flags are parsed.
func Rewrite() *bool {
	return flag.Bool("rewrite", false, "write what really comes into main.out and testdata")
}

// Program compares what a program prints with main.out.
func Program(t *testing.T, run func(io.Writer) error, rewrite bool) {
	t.Helper()
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatal(err)
	}
	golden(t, "main.out", out.String(), rewrite)
}

func golden(t *testing.T, file, got string, rewrite bool) {
	t.Helper()
	if rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", file, d)
	}
}

// Scripts runs those of testdata with the program's actors.
func Scripts(t *testing.T, cast script.Cast, rewrite bool) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if rewrite {
			text = []byte(script.Rewrite(file, string(text), cast))
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if r := script.Run(file, string(text), cast); !r.OK() {
			t.Error(r.Diff())
		}
	}
}
