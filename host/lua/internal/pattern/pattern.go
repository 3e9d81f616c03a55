package pattern

import "errors"

// Bounds of a pattern. A pattern with more is an error.
const (
	maxLength   = 1 << 20 // bytes
	maxCaptures = 1000
	maxRepeats  = 1 << 14
)

// Pattern is a pattern that was parsed. It does not change.
type Pattern struct {
	items    []item
	captures int
	anchored bool // it begins with ^
	toEnd    bool // it ends with $
}

// item is an element of a pattern.
type item struct {
	kind   kind
	repeat byte // '*', '+', '-', '?' after a single byte; 0: once
	byte   byte // literal
	set    *set // class
	n      int  // of a capture; the first delimiter of %b
	end    int  // the second delimiter of %b
}

type kind uint8

const (
	literal   kind = iota // one byte
	class                 // one byte of a set
	open                  // the capture n begins
	shut                  // the capture n ends
	position              // the capture n is a position
	again                 // what the capture n has matched
	unmatched             // a capture that has not ended there
	balanced              // %b
	finish                // the pattern has matched
)

// never is a delimiter that no byte is equal to.
const never = -1

var (
	errTooLong    = errors.New("pattern too long")
	errCaptures   = errors.New("pattern has too many captures")
	errTooComplex = errors.New("pattern/input too complex")
	errUnfinished = errors.New("unfinished capture at EOS")
	errNoCapture  = errors.New("invalid capture index")
)

// matches returns whether an item of kind literal or class matches a byte.
func (it *item) matches(b byte) bool {
	if it.kind == literal {
		return it.byte == b
	}
	return it.set.has(b)
}
