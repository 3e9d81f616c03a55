package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/selvage-dev/selvage/host/minigo/internal/jit"
)

// JITStats are figures of the machine code of a run.
type JITStats struct {
	// Functions and Bytes are what was compiled.
	Functions, Bytes int
	// Refused are the functions that were not, by the reason, which is mostly an operation.
	Refused map[string]int
	// Entries is how often machine code was entered. The others are how often it was left: for
	// the interpreter (a panic, or what is rare), for one operation of the machine, as the
	// budget was used up, for a function without code, and for a caller that was interpreted.
	Entries, Interpreted, Cold, Expired, Called, Returned uint64
	// Deferred is how often it was not entered because the collector was marking.
	Deferred uint64
	// Why says why there is no machine code, or no more; empty if there is.
	Why string
}

// String is the figures in a few lines.
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

// JITStats are the figures so far.
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
