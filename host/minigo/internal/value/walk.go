package value

import "errors"

// A value may be nested deeper than the host's stack has room for, and one that shares its parts
// may have more of them than there is time for: 2 to the power of 60 are quickly made.
const (
	maxDepth = 1 << 17
	maxSteps = 1 << 22
	// bytesPerStep are those of a string that are compared in the time of a step.
	bytesPerStep = 256
)

// ErrUnbounded says that a value is too deep, or has too many parts, to be gone through.
var ErrUnbounded = errors.New("a value is too deep or too large to be compared")

// Walk goes through the parts of a value, and counts them. The zero Walk begins one.
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
