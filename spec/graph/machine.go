package graph

import "fmt"

// Machine is a specification that can be executed. Its states S are compared with ==,
// its actions A and answers R are data with the names that the Promela twin prints.
type Machine[S comparable, A, R fmt.Stringer] interface {
	// Valid is nil, or says which bounds do not fit.
	Valid() error
	// Init is the first state.
	Init() S
	// All lists every action, whether any state enables it or not.
	All() []A
	// Step performs a in place and says what its caller is told. False: s does not
	// enable a, and is as it was.
	Step(s *S, a A) (R, bool)
	// Check and CheckStep are the invariants of a state and of a step.
	Check(s *S) Breach
	CheckStep(from *S, a A, answer R, to *S) Breach
	// AppendKey appends the text of s, as the Promela twin prints it.
	AppendKey(dst []byte, s *S) []byte
}

// Breach says which invariant of docs/invariants.md does not hold, and how; the zero Breach
// says that all do.
type Breach struct {
	Rule uint8
	What string
}

// Breaks is the breach of a rule.
func Breaks(rule uint8, format string, args ...any) Breach {
	return Breach{rule, fmt.Sprintf(format, args...)}
}

// Each is the first breach that check finds for the numbers below n.
func Each[N ~int | ~uint8](n N, check func(N) Breach) Breach {
	for i := N(0); i < n; i++ {
		if b := check(i); !b.OK() {
			return b
		}
	}
	return Breach{}
}

// OK is true if there is no breach.
func (b Breach) OK() bool { return b.Rule == 0 }

// String is "I1: …", or "ok".
func (b Breach) String() string {
	if b.OK() {
		return "ok"
	}
	return fmt.Sprintf("I%d: %s", b.Rule, b.What)
}
