package scripttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/selvage-dev/selvage/internal/script"
)

// Language is a script language under test.
type Language struct {
	Run func(name, text string) *script.Result
	// Usages are how the commands are written; Help lists them with what they do.
	Usages []string
	Help   string
}

func (l Language) rewrite(name, text string) string {
	return script.Rewrite(text, func(text string) *script.Result { return l.Run(name, text) })
}

// Files runs the scripts that a pattern matches, each as a subtest; there must be at least so
// many. With rewrite it writes the real outputs into them first.
func (l Language) Files(t *testing.T, pattern string, least int, rewrite bool) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) < least {
		t.Fatalf("only %d scripts (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if rewrite {
				text = []byte(l.rewrite(file, string(text)))
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if r := l.Run(file, string(text)); !r.OK() {
				t.Error(r.Diff())
			}
		})
	}
}
