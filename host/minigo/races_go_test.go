//go:build race

package minigo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
)

// TestGoFindsNoRaceInWhatIsOrdered runs the ordered programs of testdata/races with Go's own detector. A
// racy one may run without its two accesses there, so what Go says of those is only logged.
func TestGoFindsNoRaceInWhatIsOrdered(t *testing.T) {
	if !long.On(t) {
		return
	}
	cases := raceCases(t, "testdata/races/edges.txt")
	program := buildWithRace(t, cases)
	found := 0
	for i, c := range cases {
		run := exec.CommandContext(long.Context(t), program, fmt.Sprint(i))
		run.Env = append(os.Environ(), "GORACE=halt_on_error=1 exitcode=66")
		out, err := run.CombinedOutput()
		var exit *exec.ExitError
		racy := errors.As(err, &exit) && exit.ExitCode() == 66
		if c.want == "ordered" {
			require.NoError(t, err, "%s:\n%s", c.name, out)
		} else if racy {
			found++
		}
	}
	t.Logf("Go found %d of the races in its runs", found)
}

// buildWithRace makes one program of the cases, of which the argument chooses one.
func buildWithRace(t *testing.T, cases []raceCase) string {
	t.Helper()
	dir := t.TempDir()
	var imports, chosen strings.Builder
	for i, c := range cases {
		text := strings.NewReplacer(
			"package main", fmt.Sprintf("package c%d", i), "func main()", "func Main()",
			"24 * time.Hour", "50 * time.Millisecond", "time.Hour", "time.Second",
		).Replace(c.source)
		write(t, filepath.Join(dir, fmt.Sprintf("c%d", i), "x.go"), text)
		fmt.Fprintf(&imports, "import %q\n", fmt.Sprintf("x/c%d", i))
		fmt.Fprintf(&chosen, "case %q:\nc%d.Main()\n", fmt.Sprint(i), i)
	}
	write(t, filepath.Join(dir, "go.mod"), "module x\n\ngo 1.26\n")
	write(t, filepath.Join(dir, "main.go"), "package main\nimport \"os\"\n"+imports.String()+"func main() {\nswitch os.Args[1] {\n"+chosen.String()+"}\n}\n")
	build := exec.CommandContext(long.Context(t), "go", "build", "-race", "-o", "racy", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build -race needs a C compiler and cgo: %v\n%s", err, out)
	}
	return filepath.Join(dir, "racy")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}
