//go:build !invariants

package scheduler

import (
	"runtime"
	"testing"

	"github.com/selvage-dev/selvage/fiber"
)

// The checked build is left out: it compares all the fibers after each step.

// heap is how much memory is in use after everything unused is gone.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// parkMany parks n fibers and returns what each of them takes beside its payload.
func parkMany(t *testing.T, n int, park func(s *Scheduler[[40]byte], n int)) float64 {
	t.Helper()
	before := heap()
	s := New[[40]byte](Config{})
	for i := range n {
		if _, err := s.Spawn([40]byte{}); err != nil {
			t.Fatal(err)
		}
		if s.ScheduleNext() == nil && (!s.Poll() || s.ScheduleNext() == nil) {
			t.Fatal("no fiber is ready")
		}
		park(s, i)
	}
	if s.Inspect().Blocked() != n {
		t.Fatalf("%d of %d fibers are parked", s.Inspect().Blocked(), n)
	}
	after := heap()
	runtime.KeepAlive(s)
	return (float64(after)-float64(before))/float64(n) - 40
}

func TestAParkedFiberTakesThirtyTwoBytesBesideItsPayload(t *testing.T) {
	const n = 100_000
	src := new(plainSource)
	for name, park := range map[string]func(s *Scheduler[[40]byte], n int){
		"by ticket":       func(s *Scheduler[[40]byte], _ int) { s.BlockForQueue() },
		"on one source":   func(s *Scheduler[[40]byte], _ int) { s.Arm(fiber.OnQueue(), src); s.Block() },
		"on many sources": parkOnMany(16),
	} {
		t.Run(name, func(t *testing.T) {
			overhead := parkMany(t, n, park)
			if t.Logf("%.1f bytes a fiber", overhead); overhead > 32 {
				t.Fatalf("%.1f bytes a fiber", overhead)
			}
		})
	}
}

// parkOnMany spreads the fibers over a few sources.
func parkOnMany(sources int) func(s *Scheduler[[40]byte], n int) {
	all := make([]plainSource, sources)
	return func(s *Scheduler[[40]byte], n int) {
		s.Arm(fiber.OnQueue(), &all[n%sources])
		s.Block()
	}
}
