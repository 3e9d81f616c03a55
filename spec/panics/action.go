package panics

import (
	"fmt"

	"github.com/selvage-dev/selvage/panicstate"
)

// Kind is the name of an action. Every action is one indivisible step.
type Kind uint8

const (
	// Begin raises a panic.
	Begin Kind = iota
	// Defer registers a call of a frame.
	Defer
	// NextDefer takes the next call of an unwind.
	NextDefer
	// Return takes the next call of a frame that returns.
	Return
	// EndDefer notes that the innermost running call has returned.
	EndDefer
	// Recover asks for the panic, from the code of a frame.
	Recover
	// Reset ends the fiber, and the next begins.
	Reset
	// Enter begins a native call: Call in panic.pml.
	Enter
	// Leave ends it, and hands on what ended its code.
	Leave

	kinds = int(Leave) + 1
)

var kindNames = [kinds]string{"Begin", "Defer", "NextDefer", "Return", "EndDefer", "Recover", "Reset", "Call", "Leave"}

// String is the name in panic.pml.
func (k Kind) String() string { return kindNames[k] }

// Action is one call, possible or not in a given state.
type Action struct {
	Kind Kind
	// A is a frame (Defer, Return, Recover) or the kind of a panic (Begin).
	A uint8
}

// Panic is A as the kind of a panic.
func (a Action) Panic() panicstate.Kind { return panicstate.Kind(a.A) }

// String is the action as panic.pml prints it: "Defer 1", "NextDefer".
func (a Action) String() string {
	switch a.Kind {
	case Begin, Defer, Return, Recover:
		return fmt.Sprintf("%v %d", a.Kind, a.A)
	}
	return a.Kind.String()
}

// All lists every action at the bounds of c, whether any state enables it or not.
func (c Config) All() []Action {
	all := []Action{{Kind: NextDefer}, {Kind: EndDefer}, {Kind: Reset}, {Recover, uint8(c.Frames)}}
	for k := panicstate.Recoverable; k <= panicstate.Fatal; k++ {
		all = append(all, Action{Begin, uint8(k)})
	}
	for f := range uint8(c.Frames) {
		all = append(all, Action{Defer, f}, Action{Return, f}, Action{Recover, f})
	}
	if c.Machines > 1 {
		all = append(all, Action{Kind: Enter}, Action{Kind: Leave})
	}
	return all
}

// Word is what an action tells its caller.
type Word uint8

const (
	// Nothing to tell.
	Nothing Word = iota
	// Refused: the action is not enabled; the state is as it was.
	Refused
	// None (NextDefer, Return, Recover): there is none.
	None
	// Stop (EndDefer): a Fatal panic is in force.
	Stop
	// Value (Recover): the panic is recovered.
	Value
	// Run (NextDefer, Return) a call of the frame.
	Run
	// Returning (EndDefer): the frame was returning anyway.
	Returning
	// Continue (EndDefer): a panic is still to be unwound.
	Continue
	// Recovered (EndDefer): it is over, the frame returns.
	Recovered

	words = int(Recovered) + 1
)

var wordNames = [words]string{"-", "Refused", "None", "Stop", "Value", "Run", "Returning", "Continue", "Recovered"}

// Answer is a Word, from Run on with a frame.
type Answer struct {
	Word  Word
	Frame uint8
}

// String is the answer as panic.pml prints it: "Run1", "None", "-".
func (a Answer) String() string {
	if a.Word >= Run {
		return fmt.Sprintf("%s%d", wordNames[a.Word], a.Frame)
	}
	return wordNames[a.Word]
}
