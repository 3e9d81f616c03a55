package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// asCommand makes the test binary be selvage itself, for tests of the real process.
const asCommand = "SELVAGE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

// ending is how a run ended.
type ending struct {
	status   int
	out, err string
}

// files are written into a new folder, which becomes the working directory.
type files map[string]string

func (fs files) write(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range fs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// selvage runs the command in this process.
func selvage(t *testing.T, args ...string) ending {
	t.Helper()
	var out, err bytes.Buffer
	status := run(t.Context(), args, streams{&out, &err})
	return ending{status, out.String(), progress.ReplaceAllString(err.String(), "")}
}

// progress is what explore writes every few seconds: how often depends on the machine.
var progress = regexp.MustCompile(`(?m)^selvage: \d+ of at most \d+ runs, .*\n`)

// guest runs a program, as p.lua, with flags.
func guest(t *testing.T, program string, flags ...string) ending {
	t.Helper()
	files{"p.lua": program}.write(t)
	return selvage(t, append(append([]string{"run"}, flags...), "p.lua")...)
}

// want compares a status, and looks for pieces of what was written to stderr.
func (e ending) want(t *testing.T, status int, pieces ...string) {
	t.Helper()
	if e.status != status {
		t.Errorf("status %d, want %d", e.status, status)
	}
	for _, piece := range pieces {
		if !strings.Contains(e.err, piece) {
			t.Errorf("stderr lacks %q", piece)
		}
	}
	if len(pieces) == 0 && e.err != "" {
		t.Error("stderr is not empty")
	}
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", e.out, e.err)
	}
}

// wantOut compares stdout.
func (e ending) wantOut(t *testing.T, out string) {
	t.Helper()
	if e.out != out {
		t.Errorf("stdout is %q, want %q", e.out, out)
	}
}

// trigger calls cancel at the first write.
type trigger struct{ cancel context.CancelFunc }

func (w trigger) Write(p []byte) (int, error) {
	w.cancel()
	return len(p), nil
}
