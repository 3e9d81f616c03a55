package bugs

// Promise is one thing the library makes, by the number of its invariant or in the
// words of the defect that cannot be.
type Promise string

// Invariants are the rules of the state machine (spec and the package documentation cite
// them by number).
func Invariants() []Promise {
	return []Promise{"I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I12", "I13"}
}

// Defects are those of the systems this one descends from; each must be impossible.
func Defects() []Promise {
	return []Promise{
		"wake lost between try and register",
		"stale wake after slot reuse",
		"stale wake of an older wait of the same fiber",
		"wake to a dead, not yet reused slot",
		"double wake",
		"generation wrap",
		"suspend committed over an earlier resume",
		"I/O completing before the park",
		"late completion after cancel",
		"number reused under a pending operation",
		"nested pump losing current",
		"nested pump deaf to I/O or to others",
		"peer panic swallowed by a pump",
		"false deadlock because only one pool was counted",
		"panic generation lost in a trampoline",
		"defer recovering its own panic",
		"defer inside a defer not run",
		"recover through a helper",
		"close waking senders as if they had succeeded",
		"woken receiver robbed by a later one",
		"value delivered and also left in the buffer",
		"select siblings left registered",
		"zero-size element read as closed",
		"mutex with a moment of no owner",
		"semaphore barging",
		"failed task keeping its locks",
		"canceled fiber asleep forever",
		"equal deadlines out of order",
		"timer notify lost",
		"worker slot leaked",
		"I/O starved by a spinning fiber",
		"idle loop polling",
		"actor handler panic wedging the loop",
		"async actor that returns never reaped",
		"killed actor still reading its inbox",
	}
}

// Limits are what no guest may do.
func Limits() []Promise {
	return []Promise{"guest beyond its quota", "guest changed by its limits", "guest outside of its sandbox", "guest disturbed by another"}
}

// Truths are what a report may never say.
func Truths() []Promise { return []Promise{"report of a state that never was"} }
