package faults

// Kind is a way in which the completion of an operation can go wrong.
type Kind uint8

const (
	// Drop: it never comes.
	Drop Kind = iota
	// Duplicate: it comes twice.
	Duplicate
	// Delay: it comes many turns later.
	Delay
	// Reorder: it comes in the same turn as others, before those that were first.
	Reorder
	// Early: it comes before the fiber waits.
	Early
	// LateAfterKill: the fiber is killed while it waits; then it comes.
	LateAfterKill
	// WrongToken: beside it comes one for a token that was never given out, or is over.
	WrongToken
	// WrongScheduler: beside it comes one for another scheduler's token.
	WrongScheduler
	// ErrorValue: it is a failure.
	ErrorValue
	// HugeValue: its value is as large as can be, and its count the largest.
	HugeValue
	// DuringShutdown: it comes when the fibers have been killed and unwind.
	DuringShutdown
	// Storm: with it comes a burst of completions of every sort, from other goroutines' door.
	Storm

	// NumKinds is how many there are.
	NumKinds = int(Storm) + 1
)

var kindNames = [NumKinds]string{"drop", "duplicate", "delay", "reorder", "early", "late after kill", "wrong token",
	"wrong scheduler", "error value", "huge value", "during shutdown", "storm"}

// String is the name in lower case.
func (k Kind) String() string {
	if int(k) < NumKinds {
		return kindNames[k]
	}
	return "no fault"
}

// Profile is the probability of each fault, per operation; their sum is at most 1.
type Profile [NumKinds]float64

// Even is each fault with the same probability.
func Even(p float64) Profile {
	var all Profile
	for k := range all {
		all[k] = p
	}
	return all
}

// draw is the fault for a number in [0, 1); NumKinds for none.
func (p *Profile) draw(x float64) Kind {
	for k, share := range p {
		if x < share {
			return Kind(k)
		}
		x -= share
	}
	return Kind(NumKinds)
}
