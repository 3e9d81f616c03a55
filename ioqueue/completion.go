package ioqueue

// Completion is what an operation ended with.
type Completion struct {
	N     int   // the operation's own count: bytes, packets, descriptors
	Value any   // what it produced, nil if nothing
	Err   error // why it failed, nil if it did not
}

// Verdict says what a completion did. It is an answer to the outside: none of them
// is an error of the queue (docs/invariants.md, expected races).
type Verdict uint8

const (
	// Deliver: a fiber awaits the token; deliver the ticket that came with it. The
	// fiber takes the completion.
	Deliver Verdict = iota + 1
	// Early: nobody awaits the token yet; the completion is kept and Await finds it.
	Early
	// Attached: a cell is attached; call Settle next.
	Attached
	// Late: the token was abandoned. This was its acknowledgement: counted, the
	// completion is handed to the drop hook, nobody is woken.
	Late
	// Duplicate: the token was completed before. Counted, nothing else.
	Duplicate
	// Unknown: no such token was ever submitted here. Counted, nothing else.
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
	Completed uint64 // ended with a completion for their owner: delivered, early, attached
	Late      uint64 // ended with the acknowledgement of an abandoned token
	Abandoned uint64 // given up while in flight
	Dropped   uint64 // completed, but the owner died or gave up before it took the result
	Duplicate uint64 // completions of a token that had been completed
	Unknown   uint64 // completions of a token that never was
}
