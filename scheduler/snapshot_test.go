package scheduler

import (
	"strings"
	"testing"
)

func TestASnapshotTellsWhatIsThereAndNothingElse(t *testing.T) {
	g := newStage(t, Config{})
	if got := g.Snapshot(); !strings.Contains(got, "\nnone dead") || strings.Contains(got, "lent") {
		t.Errorf("nobody is there, and\n%s", got)
	}
	g.actor(Options{})
	g.Lend()
	if got := g.Snapshot(); !strings.Contains(got, "\n1 lent\n") {
		t.Errorf("one is lent, and\n%s", got)
	}
}
