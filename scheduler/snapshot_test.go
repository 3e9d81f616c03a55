package scheduler

import (
	"strings"
	"testing"
)

func TestASnapshotTellsWhatIsThereAndNothingElse(t *testing.T) {
	g := newTestScheduler(t, Config{})
	if got := g.Inspect().Snapshot(); !strings.Contains(got, "\nnone dead") || strings.Contains(got, "lent") {
		t.Errorf("no fiber is there, and\n%s", got)
	}
	g.spawnRunning(Options{})
	g.Moves().Lend()
	if got := g.Inspect().Snapshot(); !strings.Contains(got, "\n1 lent\n") {
		t.Errorf("one is lent, and\n%s", got)
	}
}
