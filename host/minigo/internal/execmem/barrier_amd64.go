package execmem

import _ "unsafe" // for go:linkname

// writeBarrier is the collector's flag, exported by the runtime for go:linkname. While enabled is
// set, every write of a pointer must be reported to the collector. The flag changes only while
// the world is stopped, and the world cannot stop inside enter or machine code, which have no
// safe point: so enter checks it once, and the result holds until the code exits. Code that
// writes no references may run at any time.
//
//go:linkname writeBarrier runtime.writeBarrier
var writeBarrier struct {
	enabled bool
	_       [3]byte
	_       uint64
}

// BarrierIsOn reports whether code that writes references would be refused now.
func BarrierIsOn() bool { return writeBarrier.enabled }
