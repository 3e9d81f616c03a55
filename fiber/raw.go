package fiber

// Raw is the 32-bit wire form of an ID: a slot without its generation. A protocol stores the
// number; Inspect.Lookup of the scheduler turns it back into the ID of the fiber that is in the
// slot now. Only a Ticket wakes.
type Raw uint32

// Index is the slot number.
func (r Raw) Index() uint32 { return uint32(r) & MaxIndex }

// IsTrampoline tells the pool.
func (r Raw) IsTrampoline() bool { return r&trampolineBit != 0 }
