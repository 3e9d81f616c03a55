package panicstate

// Panic is one panic: what a trampoline hands to its caller (I7) and what a fiber
// that did not recover ends with.
type Panic struct {
	Kind  Kind
	Value any
	// Site is where it was raised, in the host's words, captured at that moment: by
	// the time it is reported the frames are gone.
	Site string
	// Generation counts the panics of the fiber, from 1.
	Generation uint64
}

// Deferred is a deferred call to be run now, as frame Frame+1.
type Deferred struct {
	Frame int // the frame that registered it
	Call  any // the host's own
}

// Step says how a frame goes on after a deferred call returned.
type Step uint8

const (
	// Continue: the unwind goes on; call NextDefer.
	Continue Step = iota + 1
	// Recovered: the panic is over. The frame returns to its caller, after what
	// Return still gives for it.
	Recovered
	// Returning: the frame was returning anyway; call Return again.
	Returning
	// Stop: a Fatal panic is in force; no guest code runs any more.
	Stop
)

var stepNames = [...]string{"none", "continue", "recovered", "returning", "stop"}

// String is the lower-case name.
func (s Step) String() string {
	if int(s) < len(stepNames) {
		return stepNames[s]
	}
	return "invalid step"
}
