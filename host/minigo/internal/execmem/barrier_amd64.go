package execmem

import _ "unsafe" // for go:linkname

// writeBarrier is the collector's, and a name that the runtime marks as one that others may
// link to. While enabled is set, whoever writes a pointer must tell the collector. It changes
// only while the world is stopped, and the world cannot stop while code runs, which is no
// safe point, nor within enter: so enter looks at it once, and what it sees holds until the
// code is left. Code that writes no references may run at any time.
//
//go:linkname writeBarrier runtime.writeBarrier
var writeBarrier struct {
	enabled bool
	_       [3]byte
	_       uint64
}

// BarrierIsOn tells whether code that writes references would be refused now.
func BarrierIsOn() bool { return writeBarrier.enabled }
