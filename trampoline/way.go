package trampoline

import "github.com/selvage-dev/selvage/fiber"

// Way is how a call waits; the table is in the package comment.
type Way uint8

const (
	// ExitAndReenter: there are no native frames to keep. The one to recommend to
	// authors of a JIT.
	ExitAndReenter Way = iota + 1
	// Parking: the native frames are suspended with the stack they stand on.
	Parking
	// Nesting: the native frames stay where they are, and other fibers run above them.
	Nesting
)

var wayNames = [...]string{"none", "exit and re-enter", "parking", "nesting"}

// String is the name in lower case.
func (w Way) String() string {
	if int(w) < len(wayNames) {
		return wayNames[w]
	}
	return "invalid way"
}

// call is the method that makes a call in this way, for refusals.
func (w Way) call() string { return [...]string{"Enter", "Reenter", "Park", "Nest"}[w] }

// Stack is what the native frames of a fiber stand on. The host implements it; nil stands
// for no native frames, or for the stack that drives the scheduler.
type Stack interface {
	// Allows reports whether the frames may be suspended (Parking), or other fibers may
	// run above them (Nesting), as things are now. Inside a callback of a foreign
	// runtime a stack may allow neither.
	Allows(w Way) bool
	// Park suspends the frames. The loop that resumed the fiber gets o as the outcome
	// of its slice; Park returns when the fiber is mounted again. It may also not
	// return: then it unwinds the stack.
	Park(o fiber.Outcome)
}

// Callee is what a call runs.
type Callee interface {
	// Step runs for a slice, or less, and says how that ended. Block means that the
	// callee has armed a wait, or that one is to be armed for the reason it gives; when
	// it has ended the next Step claims it. Panic means that the panic machine of the
	// executing context has nothing left to unwind.
	Step() fiber.Outcome
}

// CalleeFunc is a Callee that is a function.
type CalleeFunc func() fiber.Outcome

// Step calls the function.
func (f CalleeFunc) Step() fiber.Outcome { return f() }
