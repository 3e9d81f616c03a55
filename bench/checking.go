package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// checksCut removes, for the peer of P21, every check that a hot transition makes each time. What
// is recorded for reports stays.
var checksCut = map[string][]string{
	"scheduler/gate.go": {`	if h.word&gateMask != e&stateMask {
		panic(c.faults[(h.word|e)%numFaults])
	}
`},
	"scheduler/schedule_next.go": {`	if c.cur != c.none {
		panic(c.faults[op.Next<<opShift])
	}
`, `	"github.com/selvage-dev/selvage/internal/op"
`},
}

// checked is P21: next+yield in a program of its own, built with or without the checks.
func checked(cut bool) func(n int) time.Duration {
	program := sync.OnceValue(func() string { return buildChecks(cut) })
	return func(n int) time.Duration {
		out := mustGet(exec.Command(program(), "8", strconv.Itoa(n)).Output())
		took := mustGet(strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64))
		return time.Duration(took)
	}
}

// buildChecks needs the go command and the sources, which a user of go run has.
func buildChecks(cut bool) (program string) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/selvage-dev/selvage").Output()
	if err != nil {
		panic(fmt.Sprintf("bench: P21 builds a program: run it in the repository, with go in the path: %v", err))
	}
	dir := scratch()
	must(os.MkdirAll(dir, 0o700))
	program = filepath.Join(dir, fmt.Sprintf("checks-%t", !cut))
	args := []string{"build", "-o", program}
	if cut {
		args = append(args, "-overlay", overlay(strings.TrimSpace(string(root)), dir))
	}
	cmd := exec.Command("go", append(args, "github.com/selvage-dev/selvage/bench/checks")...)
	cmd.Stderr = os.Stderr
	must(cmd.Run())
	return program
}

// scratch is where this run keeps files until it ends.
func scratch() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("selvage-bench-%d", os.Getpid()))
}

// overlay writes the sources without their checks, and the overlay file that lists them.
func overlay(root, dir string) string {
	replace := map[string]string{}
	for file, checks := range checksCut {
		src := mustGet(os.ReadFile(filepath.Join(root, file)))
		text := string(src)
		for _, check := range checks {
			if !strings.Contains(text, check) {
				panic("bench: " + file + " has no such check any more; fix checksCut:\n" + check)
			}
			text = strings.ReplaceAll(text, check, "")
		}
		cut := filepath.Join(dir, filepath.Base(file))
		must(os.WriteFile(cut, []byte(text), 0o600))
		replace[filepath.Join(root, file)] = cut
	}
	list := mustGet(json.Marshal(map[string]any{"Replace": replace}))
	file := filepath.Join(dir, "overlay.json")
	must(os.WriteFile(file, list, 0o600))
	return file
}

func checkingRows() []row {
	return []row{{id: "P21", work: "next+yield, every check on", peer: "the same, checks cut out", goal: 1.1, atMost: true, n: 20_000_000,
		ours: checked(false), theirs: checked(true)}}
}
