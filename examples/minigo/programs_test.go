package minigo

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/sandbox"
)

var rewrite = flag.Bool("rewrite", false, "write what the programs print into the .out files")

func TestProgramsDoWhatTheySay(t *testing.T) {
	programs, err := filepath.Glob("*.out")
	if err != nil || len(programs) < 10 {
		t.Fatalf("found %d programs (%v)", len(programs), err)
	}
	for _, golden := range programs {
		name := strings.TrimSuffix(golden, ".out")
		t.Run(name, func(t *testing.T) {
			for _, slice := range []int{0, 7} {
				got := ending(t, name+".go", slice)
				if *rewrite && slice == 0 {
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("with a slice of %d it printed:\n%s\nwant:\n%s", slice, got, want)
				}
			}
		})
	}
}

// ending runs a program in virtual time and gives what it prints and how it ends.
func ending(t *testing.T, path string, slice int) string {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	program, err := minigo.Compile(minigo.File{Name: path, Text: source})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	cfg := minigo.Config{Access: sandbox.Access{Stdout: &text, Stderr: &text}}
	cfg.Scheduler.Budget = slice
	host, err := minigo.New(program, cfg)
	if err != nil {
		t.Fatal(err)
	}
	var deadlock *minigo.DeadlockError
	var panicked *minigo.PanicError
	switch err := host.Run(t.Context()); {
	case errors.As(err, &deadlock), errors.As(err, &panicked):
		text.WriteString("--\n" + err.Error())
	case err != nil:
		t.Fatal(err)
	}
	return text.String()
}
