package value

import (
	"errors"
	"strings"
)

// A value may be nested deeper than the host's stack allows, and a value with shared parts may
// have exponentially many of them.
const (
	maxDepth = 1 << 17
	maxSteps = 1 << 22
)

var (
	// ErrUnbounded says that a value is too deep, or has too many parts, to be traversed.
	ErrUnbounded = errors.New("a value is too deep or too large to be compared")
	// ErrLong says that a traversal without a Pace has become long.
	ErrLong = errors.New("minigo: the traversal takes long")
)

// Walk counts the parts of a value that are traversed. The zero Walk begins a traversal that ends with
// ErrLong when it becomes long; with a Pace it may take long, and counts there too.
type Walk struct {
	Pace         *Pace
	Steps, depth int
}

func (w *Walk) enter() error {
	w.Steps++
	w.depth++
	switch {
	case w.Steps > maxSteps || w.depth > maxDepth:
		return ErrUnbounded
	case w.Pace != nil:
		if w.Pace.Spend(StepBytes); w.Pace.Over() {
			return ErrLong
		}
	case w.Steps > PieceBytes/StepBytes:
		return ErrLong
	}
	return nil
}

func (w *Walk) leave() { w.depth-- }

// text counts the bytes of a string that is compared or hashed.
func (w *Walk) text(bytes int) error {
	if w.Pace == nil {
		if w.Steps += Steps(bytes); w.Steps > PieceBytes/StepBytes {
			return ErrLong
		}
	}
	return nil
}

// CompareStrings compares two strings, as strings.Compare.
func CompareStrings(p *Pace, x, y string) (order int) {
	short := min(len(x), len(y))
	for lo := 0; lo < short && order == 0 && !p.Over(); lo += PieceBytes {
		hi := min(short, lo+PieceBytes)
		order = strings.Compare(x[lo:hi], y[lo:hi])
		p.Spend(hi - lo)
	}
	if order != 0 {
		return order
	}
	return len(x) - len(y)
}

// EqualStrings compares two strings.
func EqualStrings(p *Pace, x, y string) bool {
	if len(x) != len(y) || len(x) > PieceBytes {
		return len(x) == len(y) && CompareStrings(p, x, y) == 0
	}
	p.Spend(len(x))
	return x == y
}

// HasPrefix reports whether a string begins with another one.
func HasPrefix(p *Pace, s, prefix string) bool {
	return len(s) >= len(prefix) && EqualStrings(p, s[:len(prefix)], prefix)
}
