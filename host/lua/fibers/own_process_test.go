package fibers

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inOwnProcess runs a test that reads figures of the whole process in a process of its own, because those of
// earlier tests in this one change. It returns true there; the caller returns if it is false.
func inOwnProcess(t *testing.T) bool {
	const variable = "SELVAGE_TEST_OWN_PROCESS"
	if os.Getenv(variable) == t.Name() {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v")
	cmd.Env = append(os.Environ(), variable+"="+t.Name())
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	t.Log(string(text))
	return false
}
