package trace_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/internal/tools/trial"
	"github.com/selvage-dev/selvage/proptest/bugs"
)

// betrayed are bugs that the scheduler does not notice itself, and the traces betray by the
// check alone.
var betrayed = []string{
	"a ticket of another wait is good",
	"a latched root stays where it is", "a cancelled fiber blocks", "a doomed fiber blocks",
	"a yielder stays ahead", "an early completion is waited for",
}

// A broken scheduler writes a trace that does not follow the specification: each is built,
// runs the programs, and has its traces checked. That takes minutes and is done with
// -long=10 only.
func TestTheTracesOfBrokenSchedulersAreRefused(t *testing.T) {
	all := bugs.All()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	runner := trial.Runner{Root: root, Dir: t.TempDir(), Limit: 3 * time.Minute}
	for _, name := range betrayed {
		i := slices.IndexFunc(all, func(b bugs.Bug) bool { return b.Name == name })
		require.GreaterOrEqual(t, i, 0, "no bug is called %q any more", name)
		if !long.Deep() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			texts, err := all[i].Make(root)
			require.NoError(t, err)
			r, err := runner.Try(context.Background(), texts, trial.Tests{Package: "./trace", Run: "TestEveryJournalFollows"})
			require.NoError(t, err)
			t.Logf("%v after %.2f s: %s", r.Outcome, r.Took.Seconds(), r.Finding)
			if r.Outcome != trial.Found || !strings.Contains(r.Finding, "line ") {
				t.Errorf("it %v: %s", r.Outcome, r.Finding)
			}
		})
	}
}
