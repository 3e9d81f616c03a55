package scheduler_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/selvage-dev/selvage/scheduler/script"
)

// rewrite is read by everything here that compares with a file of testdata.
var rewrite = flag.Bool("rewrite", false, "write what really came into the files of testdata; read the difference before you commit it")

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts (%v)", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if *rewrite {
				text = []byte(script.Rewrite(file, string(text)))
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			r := script.Run(file, string(text))
			if !r.OK() {
				t.Error(r.Diff())
			}
		})
	}
}
