package fiber

import (
	"encoding/binary"
	"fmt"
)

// seqBits is how much of Ticket.Seq counts waits; the 16 bits above are the number
// of the scheduler that armed it.
const seqBits = 48

// MaxSeq is the last wait one scheduler can number.
const MaxSeq = 1<<seqBits - 1

// Ticket is the identity of one suspension and is good for one wake (I3, I5). A
// fiber's next wait has another Seq, so a late delivery wakes no fiber. Seqs of one
// scheduler grow with every Arm: a queue in arrival order is a queue sorted by Seq.
type Ticket struct {
	ID  ID
	Seq uint64
}

// NewSeq numbers the n-th wait of a scheduler.
func NewSeq(scheduler uint16, n uint64) uint64 { return uint64(scheduler)<<seqBits | n&MaxSeq }

// Scheduler is the number of the scheduler that armed the ticket.
func (t Ticket) Scheduler() uint16 { return uint16(t.Seq >> seqBits) }

// IsZero tells whether the ticket is none at all.
func (t Ticket) IsZero() bool { return t == Ticket{} }

// String is "f12.3#40" (the 40th wait of scheduler 0) or "f12.3#2/40" (of scheduler 2).
func (t Ticket) String() string {
	if t.IsZero() {
		return "no ticket"
	}
	if n := t.Scheduler(); n != 0 {
		return fmt.Sprintf("%v#%d/%d", t.ID, n, t.Seq&MaxSeq)
	}
	return fmt.Sprintf("%v#%d", t.ID, t.Seq)
}

// AppendTo appends the sixteen wire bytes, big-endian.
func (t Ticket) AppendTo(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(t.ID))
	return binary.BigEndian.AppendUint64(b, t.Seq)
}

// ParseTicket reads what AppendTo wrote. A ticket that parses is only well formed;
// whether it wakes a fiber is decided by the scheduler it is delivered to.
func ParseTicket(b []byte) (Ticket, error) {
	if len(b) != 16 {
		return Ticket{}, fmt.Errorf("%w: a ticket has 16 bytes, not %d", ErrEncoding, len(b))
	}
	t := Ticket{ID: ID(binary.BigEndian.Uint64(b)), Seq: binary.BigEndian.Uint64(b[8:])}
	if t.ID.Generation() == 0 || t.Seq&MaxSeq == 0 {
		return Ticket{}, fmt.Errorf("%w: %x is not a ticket: its generation or wait number is 0", ErrEncoding, b)
	}
	return t, nil
}
