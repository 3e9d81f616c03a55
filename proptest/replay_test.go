package proptest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

// reproduced are mistakes in the source whose failures are written out: a text that
// occurs once in a file, and what stands there instead.
var reproduced = []struct{ name, file, right, wrong string }{
	{"a ticket of another wait is good", "scheduler/deliver.go", "h.seq != t.Seq || !h.waits()", "!h.waits()"},
	{"a yielder stays ahead", "scheduler/yield.go", "c.ring.push(uint32(c.curID))", "c.ring.pushFront(uint32(c.curID))"},
}

// What a failure is written out as shows the mistake with the command and the broken
// scheduler, and nothing with a right one. It takes builds, and is done
// with -long only.
func TestTheScriptOfAFailureFailsOnTheBrokenSchedulerAndOnNoOther(t *testing.T) {
	for _, b := range reproduced {
		if !long.Deep() {
			break
		}
		t.Run(b.name, func(t *testing.T) {
			dir := t.TempDir()
			overlay := plant(t, dir, b.file, b.right, b.wrong)
			failure, trail := filepath.Join(dir, "failure.txt"), filepath.Join(dir, "failure.pml")
			out, err := goes("test", "-overlay", overlay, "-short", "-count=1", "-run", "StayInStepFar", "./proptest",
				"-script", failure, "-trail", trail)
			require.Error(t, err, out)
			text, err := os.ReadFile(failure)
			require.NoError(t, err, out)
			t.Logf("%s", text)
			require.FileExists(t, trail)
			out, err = goes("run", "-overlay", overlay, "./cmd/selvage", "script", failure)
			require.Error(t, err, "the broken scheduler passes:\n%s", out)
			require.Contains(t, out, "failure.txt")
			out, err = goes("run", "./cmd/selvage", "script", failure)
			require.NoError(t, err, "the right scheduler fails:\n%s", out)
		})
	}
}

// plant makes an overlay with the mistake in it.
func plant(t *testing.T, dir, file, right, wrong string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", file))
	require.NoError(t, err)
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(source), right), "%q in %s: the source has moved on, let the table follow", right, file)
	broken, overlay := filepath.Join(dir, "broken.go"), filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(broken, []byte(strings.Replace(string(source), right, wrong, 1)), 0o600))
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: broken}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, list, 0o600))
	return overlay
}

// goes is the go command in the root of the module.
func goes(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	return string(out), err
}
