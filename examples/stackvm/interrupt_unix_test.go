//go:build unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An interrupt ends a program that computes, sleeps, and waits in a native sort.
func TestAnInterruptEndsTheRun(t *testing.T) {
	program := filepath.Join(t.TempDir(), "endless.fs")
	text := `
		: spins begin 0 until ;
		: sleeps 100000000 sleep ;
		: slow 100000000 sleep - ;
		: sorts 1 2 2 ' slow sort ;
		0 ' sleeps spawn  0 ' sorts spawn  "ready" .  spins`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"--nest=false", "--nest"} {
		cmd := command(t, way, program)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
			t.Errorf("it printed %q: %v", line, err)
		}
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // the exit status is compared
		if status := cmd.ProcessState.ExitCode(); status != 1 || !strings.Contains(stderr.String(), "interrupt") {
			t.Errorf("%s: status %d\n%s", way, status, &stderr)
		}
	}
}
