package fiber

import (
	"encoding/binary"
	"fmt"
)

// Raw is the 32-bit wire form of an ID: a slot without its generation. Protocols
// store it; a scheduler turns it back into an ID by looking at the slot
// (scheduler.Lookup), and only a Ticket wakes.
type Raw uint32

// Index is the slot number.
func (r Raw) Index() uint32 { return uint32(r) & MaxIndex }

// IsTrampoline tells the pool.
func (r Raw) IsTrampoline() bool { return r&trampolineBit != 0 }

// AppendTo appends the four wire bytes, big-endian.
func (r Raw) AppendTo(b []byte) []byte { return binary.BigEndian.AppendUint32(b, uint32(r)) }

// ParseRaw reads the four bytes AppendTo wrote; any other length is an error
// wrapping ErrEncoding. That a value parses does not mean that its slot exists.
func ParseRaw(b []byte) (Raw, error) {
	if len(b) != 4 {
		return 0, fmt.Errorf("%w: a raw fiber has 4 bytes, not %d", ErrEncoding, len(b))
	}
	return Raw(binary.BigEndian.Uint32(b)), nil
}
