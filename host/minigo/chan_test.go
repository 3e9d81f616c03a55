package minigo_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGosOwnChannelProgramsRun runs the programs of the Go distribution's test/chan that
// are marked to be run. They check themselves: they print nothing and end well.
func TestGosOwnChannelProgramsRun(t *testing.T) {
	dir := filepath.Join(goTests(t), "chan")
	programs, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	ran := 0
	for _, path := range programs {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		if !bytes.HasPrefix(source, []byte("// run\n")) {
			continue
		}
		ran++
		t.Run(filepath.Base(path), func(t *testing.T) {
			for _, way := range ways() {
				out, err := run(t, path, source, way)
				require.NoError(t, err, "%+v", way)
				require.Empty(t, out, "%+v", way)
			}
		})
	}
	if ran == 0 {
		t.Logf("%s is not installed: Go's own programs were not run", dir)
		return
	}
	require.GreaterOrEqual(t, ran, 17)
}

// goTests is the test folder of the Go distribution.
func goTests(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	return filepath.Join(strings.TrimSpace(string(root)), "test")
}
