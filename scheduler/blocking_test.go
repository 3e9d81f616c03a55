package scheduler

import (
	"fmt"
	"strings"
	"testing"

	"github.com/selvage-dev/selvage/internal/op"
)

// Reports and histories are read by these names: each value has one of its own, and the
// first that is none says so.
func TestEveryOperationVerdictAndWayToBlockHasItsOwnName(t *testing.T) {
	for _, e := range []struct {
		first, count int
		value        func(i int) fmt.Stringer
		none         string
	}{
		{int(op.None), int(op.Count), func(i int) fmt.Stringer { return Op(i) }, "invalid op"},
		{0, int(StackInversion) + 1, func(i int) fmt.Stringer { return VerdictKind(i) }, "invalid verdict"},
		{0, int(Pinned) + 1, func(i int) fmt.Stringer { return Blocking(i) }, "invalid blocking"},
	} {
		seen := map[string]bool{}
		for i := e.first; i < e.count; i++ {
			name := e.value(i).String()
			if name == "" || seen[name] || strings.HasPrefix(name, "invalid") {
				t.Errorf("%T %d is called %q", e.value(i), i, name)
			}
			seen[name] = true
		}
		if got := e.value(e.count).String(); got != e.none {
			t.Errorf("%T %d is called %q, but is none", e.value(e.count), e.count, got)
		}
	}
}

// What LeavesCPU says decides whether a host goes on with the fiber.
func TestNoFiberIsCurrentAfterABlockThatLeavesTheCPU(t *testing.T) {
	for how, leaves := range map[Blocking]bool{Parked: true, Requeued: true, Pinned: true, Resumed: false, Interrupted: false} {
		if how.LeavesCPU() != leaves {
			t.Errorf("%v leaves the CPU: %v", how, !leaves)
		}
	}
}
