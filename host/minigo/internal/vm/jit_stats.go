package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/jit"
)

// JITStats are counters of the JIT in a run.
type JITStats struct {
	// Functions and Bytes count what was compiled.
	Functions, Bytes int
	// Refused counts functions that were not compiled, by reason: usually an operation.
	Refused map[string]int
	// Entries counts entries of machine code. The others count exits: to the interpreter (a panic
	// or a rare case), for one operation of the machine, on an exhausted budget, to a function
	// without code, and to an interpreted caller.
	Entries, Interpreted, Cold, Expired, Called, Returned uint64
	// Deferred counts entries refused because the collector was marking.
	Deferred uint64
	// Why says why there is no machine code, or no more of it; empty if there is.
	Why string
}

// String formats the counters in a few lines.
func (s JITStats) String() string {
	var b strings.Builder
	if s.Why != "" {
		fmt.Fprintf(&b, "jit: %s\n", s.Why)
	}
	fmt.Fprintf(&b, "jit: %d functions, %d bytes; entered %d times, put off %d times\n", s.Functions, s.Bytes, s.Entries, s.Deferred)
	fmt.Fprintf(&b, "jit: left %d times to interpret, %d for an operation, %d at the end of a slice, %d to call, %d to return\n",
		s.Interpreted, s.Cold, s.Expired, s.Called, s.Returned)
	for _, why := range slices.Sorted(maps.Keys(s.Refused)) {
		fmt.Fprintf(&b, "jit: %d functions not compiled: %s\n", s.Refused[why], why)
	}
	return b.String()
}

// JITStats returns the counters so far.
func (m *Machine) JITStats() JITStats {
	if m.jit == nil {
		return JITStats{Why: m.noJIT}
	}
	s, exits := m.jit.stats, &m.jit.exits
	s.Interpreted, s.Cold, s.Expired = exits[jit.Interpret], exits[jit.Cold], exits[jit.Expired]
	s.Called, s.Returned, s.Deferred = exits[jit.Called], exits[jit.Returned], exits[jit.Refused]
	s.Entries = s.Interpreted + s.Cold + s.Expired + s.Called + s.Returned
	return s
}
