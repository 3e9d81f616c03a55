package ioqueue

// Completion is what an operation ended with.
type Completion struct {
	N     int   // the operation's own count: bytes, packets, descriptors
	Value any   // what it produced, nil if nothing
	Err   error // why it failed, nil if it did not
}

// Verdict tells what a completion did. None of them is an error of the queue: devices and
// fibers race, so late and repeated completions are expected (docs/design.md#errors).
type Verdict uint8

const (
	// Deliver: a fiber awaits the token; deliver the returned ticket. The fiber takes the
	// completion.
	Deliver Verdict = iota + 1
	// Early: the token is not awaited yet; the completion is kept, and Await finds it.
	Early
	// Attached: a cell is attached; call Settle next.
	Attached
	// Late: the token was abandoned, and this acknowledged it. The completion is counted
	// and passed to the dropped hook; no fiber wakes.
	Late
	// Duplicate: the token was completed before. It is only counted.
	Duplicate
	// Unknown: the token was never submitted here. It is only counted.
	Unknown
)

var verdictNames = [...]string{"nothing", "deliver", "early", "attached", "late", "duplicate", "unknown"}

// String is the lower-case name.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return "invalid verdict"
}

// Counters are totals since New. At any time Submitted = Completed + Late +
// Outstanding (I12).
type Counters struct {
	Submitted uint64 // tokens given out
	Refused   uint64 // submissions at the limit
	Completed uint64 // tokens completed for their owner: delivered, early or attached
	Late      uint64 // abandoned tokens acknowledged
	Abandoned uint64 // tokens given up while in flight
	Dropped   uint64 // results not taken: the owner died or gave up first
	Duplicate uint64 // completions of a token that had been completed
	Unknown   uint64 // completions of a token that was never submitted
}
