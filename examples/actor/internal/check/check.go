package check

import (
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/selvage-dev/selvage/internal/script"
	"github.com/selvage-dev/selvage/internal/script/actorscript"
	"github.com/selvage-dev/selvage/internal/script/scripttest"
)

// Rewrite reports whether to write the golden files instead of comparing them. It is called
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
func Scripts(t *testing.T, roles actorscript.Roles, rewrite bool) {
	t.Helper()
	language := scripttest.Language{Run: func(name, text string) *script.Result {
		return actorscript.Run(name, text, roles)
	}}
	language.Files(t, "testdata/*.txt", 1, rewrite)
}
