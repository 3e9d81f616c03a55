package wait

import (
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

var (
	sink     fiber.Source
	sinkCase CaseOps
)

// Source, OwnerHook, Alarm and Case give the same memory under another type.
func TestTheSidesOfAnObjectAreNotAllocated(t *testing.T) {
	ch, m, tm, in, j := NewChan[int](1), new(Mutex), new(Timer), RecvFrom(NewChan[int](0)), Join{}
	if n := testing.AllocsPerRun(100, func() {
		sink, sink, sink = ch.Source(), m.Source(), tm.Alarm()
		sinkCase, sinkCase, sinkCase = in.Case(), tm.Case(), j.Case()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
