package proptest

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/selvage-dev/selvage/internal/long"
	"github.com/selvage-dev/selvage/spec"
	"github.com/selvage-dev/selvage/spec/replay"
)

// What a scheduler says that it does is what the specification allows, whatever its host
// does: the walks once more, observed.
func TestTheTraceOfEveryWalkFollowsTheSpecification(t *testing.T) {
	walks := long.Cases(1, 4)
	if testing.Short() {
		walks = 1
	}
	for _, c := range wide {
		for i, host := range hosts() {
			if i%strideOf(t, 5) > 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s %+v", name(c), host), func(t *testing.T) {
				t.Parallel()
				steps := uint64(0)
				for seed := range walks {
					steps += checkedWalk(t, c, host, uint64(seed))
				}
				t.Logf("%d transitions", steps)
			})
		}
	}
}

// checkedWalk is a walk whose trace is checked. A trace that says less than half of the
// steps of the walk would be none of it.
func checkedWalk(t *testing.T, c spec.Config, host Host, seed uint64) uint64 {
	t.Helper()
	var out bytes.Buffer
	host.Trace = &out
	w := NewWalk(NewLockstep(c, host))
	if err := w.Wander(seed, walkLength); err != nil {
		t.Fatalf("seed %d: %v", seed, w.Explain(func() *Lockstep { return NewLockstep(c, host) }, err))
	}
	if err := w.trace.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := replay.Check(&out)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if report.Transitions < walkLength/2 {
		t.Fatalf("seed %d: the trace of %d steps has %d", seed, walkLength, report.Transitions)
	}
	return report.Transitions
}
