package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Tests is some tests of one package.
type Tests struct {
	Package string // from the root of the module, as ./wait
	Run     string // which; "" is all
	Skip    string // and which not
	Tags    string // build tags
}

// String is the go test command that does the same.
func (t Tests) String() string {
	words := []string{"SELVAGE_LONG=1 go test -short"}
	for _, w := range []struct{ flag, value string }{{"-tags ", t.Tags}, {"-run ", t.Run}, {"-skip ", t.Skip}} {
		if w.value != "" {
			words = append(words, w.flag+"'"+w.value+"'")
		}
	}
	return strings.Join(append(words, t.Package), " ")
}

// Runner tries changes. Its folder is for what it builds; nothing is left there.
type Runner struct {
	Root   string        // of the module
	Dir    string        // "" is the system's folder for such things
	Limit  time.Duration // for the tests of one trial
	Memory int           // megabytes that the tests may take; 0 is no limit
}

// Try builds the tests with these texts in place of the files (named from the root of the
// module) and runs them. The error is the machine's, never the texts'.
func (c *Runner) Try(ctx context.Context, texts map[string][]byte, tests Tests) (Result, error) {
	dir, err := os.MkdirTemp(c.Dir, "trial")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	binary, err := c.Build(ctx, dir, texts, tests)
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return Result{Outcome: Unbuilt, Finding: refused.Output}, nil
	}
	if err != nil {
		return Result{}, err
	}
	return c.run(ctx, binary, tests)
}

// RefusedError: the texts do not compile.
type RefusedError struct{ Output string }

// Error is what the go command says.
func (e *RefusedError) Error() string { return "trial: " + e.Output }

// Build builds the tests with these texts, into a folder that is the caller's, and names
// the file.
func (c *Runner) Build(ctx context.Context, dir string, texts map[string][]byte, tests Tests) (string, error) {
	binary := filepath.Join(dir, "tests")
	return binary, c.tool(ctx, dir, texts, "test", "-c", "-vet=off", "-ldflags=-s -w", "-tags", tests.Tags, "-o", binary, tests.Package)
}

// tool runs a command of the go tool with these texts.
func (c *Runner) tool(ctx context.Context, dir string, texts map[string][]byte, command string, args ...string) error {
	overlay, err := c.overlay(dir, texts)
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", append([]string{command, "-overlay", overlay}, args...)...)
	build.Dir = c.Root
	out, err := build.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return &RefusedError{strings.TrimSpace(string(out))}
}

// overlay writes the texts into the folder, and the file that tells the go command so.
func (c *Runner) overlay(dir string, texts map[string][]byte) (string, error) {
	replace := map[string]string{}
	for name, text := range texts {
		copied := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		replace[filepath.Join(c.Root, filepath.FromSlash(name))] = copied
		if err := os.WriteFile(copied, text, 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}

// run runs a test binary. Tests of a change may loop or use memory without end: both have limits.
func (c *Runner) run(ctx context.Context, binary string, tests Tests) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, c.Limit+c.Limit/2)
	defer cancel()
	cmd := c.command(limited, binary, tests, "-test.timeout="+c.Limit.String())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return failed(ctx, limited, err, out.String(), time.Since(began))
	}
	return Result{Outcome: Lives, Took: time.Since(began)}, nil
}

// command is a test binary to be run as all of them are, in its package's folder.
func (c *Runner) command(ctx context.Context, binary string, tests Tests, more ...string) *exec.Cmd {
	words := append([]string{binary, "-test.short", "-test.failfast", "-test.run=" + tests.Run}, more...)
	if tests.Skip != "" {
		words = append(words, "-test.skip="+tests.Skip)
	}
	if c.Memory > 0 {
		words = append([]string{"/bin/sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, c.Memory<<10)}, words...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "SELVAGE_LONG=1") // as many cases as CI
	cmd.Dir = filepath.Join(c.Root, filepath.FromSlash(tests.Package))
	cmd.WaitDelay = time.Second
	return cmd
}

// failed is the result of tests that have not passed: they failed, or the limit ended them and
// not the caller.
func failed(asked, limited context.Context, err error, output string, took time.Duration) (Result, error) {
	var exit *exec.ExitError
	switch {
	case asked.Err() != nil:
		return Result{}, context.Cause(asked)
	case limited.Err() == nil && !errors.As(err, &exit):
		return Result{}, err
	}
	outcome, finding := classify(output, limited.Err() != nil)
	return Result{Outcome: outcome, Took: took, Finding: finding, Test: lastTest(output)}, nil
}
