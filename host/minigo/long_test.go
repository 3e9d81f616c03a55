package minigo_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/host/minigo"
	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/wallclock"
)

// unfit are programs that are marked to be run and compile, but cannot do here what they
// do in Go, with the reason.
func unfit() map[string]string {
	return map[string]string{
		"init1.go":      "looks at the memory statistics of Go's runtime",
		"divmod.go":     "computes for minutes",
		"issue13169.go": "computes for minutes",
		"issue79186.go": "computes for minutes",
		"issue80188.go": "computes for minutes",
		"chanlinear.go": "computes for minutes",
		"env.go":        "looks at the environment, of which a program has none",
		"bug260.go":     "looks at addresses, which are all the same",
		"issue29190.go": "has a slice of more empty elements than there may be",
	}
}

// TestGosOwnProgramsRun runs what is in the subset of the programs of the Go distribution
// that check themselves, or have their output beside them.
func TestGosOwnProgramsRun(t *testing.T) {
	if !long.Deep() {
		t.Log("only with -long=10; TestGosOwnChannelProgramsRun runs some of them")
		return
	}
	ran, outside := 0, 0
	for _, dir := range []string{"", "ken", "interface", "fixedbugs"} {
		programs, err := filepath.Glob(filepath.Join(goTests(t), dir, "*.go"))
		require.NoError(t, err)
		for _, path := range programs {
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			if !bytes.HasPrefix(source, []byte("// run\n")) || unfit()[filepath.Base(path)] != "" {
				continue
			}
			var cfg minigo.Config // some spin until it is late enough, so that time must go on
			cfg.Scheduler.Clock = wallclock.New()
			out, err := run(t, path, source, cfg)
			if isRefused(err) {
				outside++
				continue
			}
			ran++
			if err != nil {
				t.Errorf("%s: %v\n%s", path, err, out)
			}
			if want, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".out"); err == nil && string(want) != out {
				t.Errorf("%s printed:\n%s\nwant:\n%s", path, out, want)
			}
		}
	}
	t.Logf("%d programs ran, %d are outside of the subset", ran, outside)
	require.Greater(t, ran, 500)
}

func isRefused(err error) bool {
	var syntax *minigo.SyntaxError
	var unsupported *minigo.UnsupportedError
	return errors.As(err, &syntax) || errors.As(err, &unsupported)
}
