package fiber

import "fmt"

// OutcomeKind says how a slice of execution ended.
type OutcomeKind uint8

const (
	// FrameChanged: the VM entered or left a frame and wants to be resumed at once;
	// the scheduling state does not change.
	FrameChanged OutcomeKind = iota + 1
	// TimesliceExpired: the budget is used up; the fiber goes to the back of the queue.
	TimesliceExpired
	// Block: the fiber waits for Outcome.Reason.
	Block
	// Panic: an unrecovered panic ended the fiber; panicstate holds it.
	Panic
	// Done: the fiber returned.
	Done
	// OSR: execution continues in another tier, where Outcome.At says; the scheduling state
	// does not change.
	OSR
)

var outcomeNames = [...]string{"none", "frame-changed", "timeslice-expired", "block", "panic", "done", "osr"}

// String is the lower-case name.
func (k OutcomeKind) String() string {
	if int(k) < len(outcomeNames) {
		return outcomeNames[k]
	}
	return "invalid outcome"
}

// Point is where an OSR continues, in the host's own numbering.
type Point struct {
	Func uint32
	PC   uint32
	Tier uint8
}

// Outcome is the only way out of a slice (docs/design.md#outcome). It is four words long, because the
// compiler has no larger struct in registers: one that is returned through memory is written
// in parts and read as a whole, for which the processor waits, after every slice.
type Outcome struct {
	Kind   OutcomeKind
	tier   uint8  // of an OSR, which has the rest of its Point in Reason.Token
	Reason Reason // Block only
}

// BlockOn is the Outcome of a slice that ends in a wait.
func BlockOn(r Reason) Outcome { return Outcome{Kind: Block, Reason: r} }

// Replace is the Outcome of a slice that continues in another tier.
func Replace(at Point) Outcome {
	return Outcome{Kind: OSR, tier: at.Tier, Reason: Reason{Token: Token(at.Func)<<32 | Token(at.PC)}}
}

// At is where an OSR continues; the zero Point for the others.
func (o Outcome) At() Point {
	if o.Kind != OSR {
		return Point{}
	}
	return Point{Func: uint32(o.Reason.Token >> 32), PC: uint32(o.Reason.Token), Tier: o.tier}
}

// Ends tells whether the slice was the fiber's last.
func (o Outcome) Ends() bool { return o.Kind == Done || o.Kind == Panic }

// String is for traces.
func (o Outcome) String() string {
	switch o.Kind {
	case Block:
		return fmt.Sprintf("block(%v)", o.Reason)
	case OSR:
		at := o.At()
		return fmt.Sprintf("osr(func %d, pc %d, tier %d)", at.Func, at.PC, at.Tier)
	}
	return o.Kind.String()
}
