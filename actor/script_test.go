package actor_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/selvage-dev/selvage/actor/script"
)

var rewrite = flag.Bool("rewrite", false, "write what really came into the scripts of testdata; read the difference before you commit it")

// The scripts are the defects that this package excludes, and its promises, one a file.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("only %d scripts (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if *rewrite {
				text = []byte(script.Rewrite(file, string(text), nil))
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if r := script.Run(file, string(text), nil); !r.OK() {
				t.Error(r.Diff())
			}
		})
	}
}
