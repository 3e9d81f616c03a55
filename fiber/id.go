package fiber

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Layout of an ID (docs/design.md#vocabulary): bits 0–30 slot index, bit 31 trampoline flag,
// bits 32–63 generation.
const (
	trampolineBit = 1 << 31

	// MaxIndex is the highest slot index an ID can name.
	MaxIndex = trampolineBit - 1
	// MaxGeneration is the last generation of a slot; a slot that reaches it is
	// retired when its fiber dies, never wrapped.
	MaxGeneration = 1<<32 - 1
)

// ID names one fiber of either pool for as long as the program runs: a slot and the
// generation that tells apart the fibers which lived in it. The zero ID names none.
type ID uint64

// RegularID names a fiber of the regular pool: one that has its own place in the
// ready queue. APIs that must not be given a trampoline take this type.
type RegularID ID

// TrampolineID names a trampoline: a fiber that stands for a synchronous call from
// native code and never enters the ready queue (I4).
type TrampolineID ID

// ErrEncoding is wrapped by the error for text, bytes or a number that does not encode an
// ID, a Raw or a Ticket.
var ErrEncoding = errors.New("fiber: bad encoding")

// NewRegularID composes an ID of the regular pool. Only owners of a slot table
// compose IDs; all other code receives them. Bits above 30 of index are ignored.
func NewRegularID(index, generation uint32) RegularID {
	return RegularID(generation)<<32 | RegularID(index&MaxIndex)
}

// NewTrampolineID is NewRegularID for the trampoline pool.
func NewTrampolineID(index, generation uint32) TrampolineID {
	return TrampolineID(generation)<<32 | trampolineBit | TrampolineID(index&MaxIndex)
}

// Index is the slot number within the ID's pool.
func (id ID) Index() uint32 { return uint32(id) & MaxIndex }

// Generation counts the fibers that have lived in the slot, from 1.
func (id ID) Generation() uint32 { return uint32(id >> 32) }

// IsTrampoline tells the pool.
func (id ID) IsTrampoline() bool { return id&trampolineBit != 0 }

// Regular returns the ID as one of the regular pool, and false if it is not.
func (id ID) Regular() (RegularID, bool) { return RegularID(id), id != 0 && !id.IsTrampoline() }

// Trampoline returns the ID as one of the trampoline pool, and false if it is not.
func (id ID) Trampoline() (TrampolineID, bool) { return TrampolineID(id), id.IsTrampoline() }

// Raw is the wire encoding that channel, port and island protocols store: the slot
// index, with the high bit set for a trampoline. It names a slot, not a fiber.
func (id ID) Raw() Raw { return Raw(id) }

// String is "f12.3" (regular, slot 12, generation 3), "t0.1" (trampoline) or "none".
func (id ID) String() string {
	if id == 0 {
		return "none"
	}
	pool := byte('f')
	if id.IsTrampoline() {
		pool = 't'
	}
	return fmt.Sprintf("%c%d.%d", pool, id.Index(), id.Generation())
}

// ID widens the typed form.
func (id RegularID) ID() ID { return ID(id) }

// Index is the slot number within the regular pool.
func (id RegularID) Index() uint32 { return ID(id).Index() }

// String is that of ID.
func (id RegularID) String() string { return ID(id).String() }

// ID widens the typed form.
func (id TrampolineID) ID() ID { return ID(id) }

// Index is the slot number within the trampoline pool.
func (id TrampolineID) Index() uint32 { return ID(id).Index() }

// String is that of ID.
func (id TrampolineID) String() string { return ID(id).String() }

// ParseID reads the text form of an ID. It trusts nothing: any text is either the
// exact form String gives or an error wrapping ErrEncoding.
func ParseID(text string) (ID, error) {
	if len(text) < 4 || text[0] != 'f' && text[0] != 't' {
		return 0, badID(text)
	}
	slot, gen, ok := strings.Cut(text[1:], ".")
	index, errIndex := strconv.ParseUint(slot, 10, 31)
	generation, errGen := strconv.ParseUint(gen, 10, 32)
	if !ok || errIndex != nil || errGen != nil {
		return 0, badID(text)
	}
	id := NewRegularID(uint32(index), uint32(generation)).ID()
	if text[0] == 't' {
		id |= trampolineBit
	}
	if generation == 0 || id.String() != text {
		return 0, badID(text)
	}
	return id, nil
}

// CheckID accepts a number from outside as an ID if some fiber could have it; it
// says nothing about whether one does.
func CheckID(n uint64) (ID, error) {
	if ID(n).Generation() == 0 {
		return 0, badID(strconv.FormatUint(n, 16))
	}
	return ID(n), nil
}

func badID(what string) error {
	return fmt.Errorf("%w: %q is not a fiber ID; want f<slot>.<generation> or t<slot>.<generation>", ErrEncoding, what)
}
