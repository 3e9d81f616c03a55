package value

import "errors"

// A value may be nested deeper than the host's stack allows, and a value with shared parts may
// have exponentially many of them.
const (
	maxDepth = 1 << 17
	maxSteps = 1 << 22
	// bytesPerStep is how many bytes of a string are compared in the time of a step.
	bytesPerStep = 256
)

// ErrUnbounded says that a value is too deep, or has too many parts, to be traversed.
var ErrUnbounded = errors.New("a value is too deep or too large to be compared")

// Walk counts the parts of a value that are traversed. The zero Walk begins a traversal.
type Walk struct{ Steps, depth int }

func (w *Walk) enter() error {
	w.Steps++
	w.depth++
	if w.Steps > maxSteps || w.depth > maxDepth {
		return ErrUnbounded
	}
	return nil
}

func (w *Walk) leave() { w.depth-- }
