package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// command is this test binary as the command.
func command(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "STACKVM_TEST=main")
	return cmd
}

func TestMain(m *testing.M) {
	if os.Getenv("STACKVM_TEST") == "main" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestTheExitStatus(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.fs")
	if err := os.WriteFile(broken, []byte("1 0 /"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]struct {
		status int
		errors string
	}{
		"--virtual programs/fibers.fs":          {0, ""},
		"--nest --virtual programs/deadlock.fs": {1, "fiber f1.1 \"waits\" failed"},
		"programs/deadlock.fs":                  {1, "deadlock: all 3 fibers are blocked"},
		broken:                                  {1, "broken.fs:1: panic: division by zero\n"},
		"programs/none.fs":                      {1, "open programs/none.fs: "},
		"":                                      {2, "stackvm: no program: name a file\nusage: stackvm "},
		"--help":                                {0, "usage: stackvm "},
		"--nothing":                             {2, "flag provided but not defined"},
	} {
		cmd := command(t, strings.Fields(args)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err := cmd.Run()
		if status := cmd.ProcessState.ExitCode(); status != want.status || !strings.HasPrefix(stderr.String(), want.errors) || (want.errors == "") != (stderr.Len() == 0) {
			t.Errorf("%q: status %d (%v)\n%s", args, status, err, &stderr)
		}
	}
}
