package vm

import "github.com/selvage-dev/selvage/host/minigo/internal/jit"

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

func (s *JITStats) count(why jit.Exit) {
	s.Entries++
	switch why {
	case jit.Interpret:
		s.Interpreted++
	case jit.Cold:
		s.Cold++
	case jit.Expired:
		s.Expired++
	case jit.Called:
		s.Called++
	case jit.Returned:
		s.Returned++
	default:
		s.Entries--
		s.Deferred++
	}
}

// JITStats are the figures so far.
func (m *Machine) JITStats() JITStats {
	if m.jit == nil {
		return JITStats{Why: m.noJIT}
	}
	return m.jit.stats
}
