package trial

import (
	"bytes"
	"context"
	"strings"
	"time"
)

// maxOutput is the number of bytes that tests may print before they count as hung.
const maxOutput = 8 << 20

// Watch runs a binary that Build made, with some variables set (NAME=value). It looks on
// which test they are at, and they are hung when that one takes longer than it may ("" is
// what comes before the first): one that loops is known long before the time of all of
// them is over.
func (c *Runner) Watch(ctx context.Context, binary string, tests Tests, may func(test string) time.Duration, env ...string) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	began := time.Now()
	w := &watch{may: may, cancel: cancel, timer: time.AfterFunc(may(""), cancel)}
	defer w.timer.Stop()
	cmd := c.command(limited, binary, tests, "-test.v")
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Run(); err != nil {
		return failed(ctx, limited, err, failing(w.said.String()), time.Since(began))
	}
	return Result{Outcome: Lives, Took: time.Since(began), Each: durations(w.said.String())}, nil
}

// watch keeps the output of tests, and ends them when one takes too long.
type watch struct {
	said   bytes.Buffer
	may    func(string) time.Duration
	timer  *time.Timer
	cancel context.CancelFunc
}

// Write is called by the one goroutine of the command that reads its output.
func (w *watch) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if name, ok := begins(line); ok { // a part of a test may take what all of it may
			test, _, _ := strings.Cut(name, "/")
			w.timer.Reset(w.may(test))
		}
	}
	if w.said.Len() > maxOutput {
		w.cancel()
	}
	return w.said.Write(p)
}

// begins returns the test that begins or continues with this line.
func begins(line string) (test string, ok bool) {
	what, rest, _ := strings.Cut(line, "  ")
	return strings.TrimSpace(rest), what == "=== RUN" || what == "=== CONT"
}

// failing is the output from where the test began that failed: what those before have
// logged is no finding.
func failing(output string) string {
	return output[max(0, strings.Index(output, "=== RUN   "+lastTest(output)+"\n")):]
}

// durations are those of the tests that passed, each with all its parts: what runs beside
// it does not count as its own.
func durations(output string) map[string]time.Duration {
	all := map[string]time.Duration{}
	for line := range strings.Lines(output) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "--- PASS: "); ok {
			name, took, _ := strings.Cut(rest, " ")
			test, _, _ := strings.Cut(name, "/")
			d, _ := time.ParseDuration(strings.Trim(took, "()"))
			all[test] += d
		}
	}
	return all
}
