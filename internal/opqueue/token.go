package opqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// Layout of a Token: the low 24 bits are the slot, the 24 bits above count how often
// that slot was used, from 1, and the top 16 are the queue's number, so that the token of
// another scheduler is none here. A slot that has used up its count is retired and
// another one takes its place, so no token ever repeats.
const (
	indexBits   = 24
	countBits   = 24
	numberShift = indexBits + countBits
	maxIndex    = 1<<indexBits - 1
	maxCount    = 1<<countBits - 1
)

func (q *Queue) token(index uint32, count uint64) fiber.Token {
	return fiber.Token(uint64(q.number)<<numberShift | count<<indexBits | uint64(index))
}

// countOf is how often the slot of a token of this queue was used. It is 0, which no token
// has, for a token of another queue.
func (q *Queue) countOf(t fiber.Token) uint64 {
	if uint16(t>>numberShift) != q.number {
		return 0
	}
	return uint64(t) >> indexBits & maxCount
}

// phase is the state of a slot. The comments name the possible next phases and what leads
// to them.
type phase uint8

const (
	// A zero slot is free. Next: inFlight (Submit).
	free phase = iota
	// inFlight: submitted and not awaited. Next: awaited, attached, done, cancelDue.
	inFlight
	// awaited: the owner waits with the slot's ticket. Next: ready (Complete),
	// inFlight (Unawait), cancelDue.
	awaited
	// attached: a cell takes the result. Next: ready (Complete), cancelDue.
	attached
	// done: completed before it was awaited. Next: ready (Await, Attach), free.
	done
	// ready: completed and announced to the owner or the cell. Next: free.
	ready
	// cancelDue: abandoned, on the cancel list. Next: orphan, free (Complete).
	cancelDue
	// orphan: abandoned, and the device was told. Next: free (Complete).
	orphan
	// retired: the count is used up. This is final.
	retired
)

// slot is one operation. Slots of one owner, and slots on the cancel list, are linked
// through next and prev; never both.
type slot struct {
	name       fiber.Token // its token, or its last one while it is free
	owner      fiber.RegularID
	wait       uint64 // awaited only: the number of the owner's wait, as in its ticket
	next, prev uint32 // a free slot is linked through next alone
	phase      phase
	cell       *ioqueue.Cell      // attached, or ready for Settle
	completion ioqueue.Completion // done and ready only
}

// waits reports whether the completion will wake a fiber or complete a cell.
func (s *slot) waits() bool { return s.phase == awaited || s.phase == attached }

// live finds the slot of a token that has not ended; nil for any other number.
func (q *Queue) live(t fiber.Token) *slot {
	s := q.slots.peek(ioqueue.SlotOf(t))
	if s == nil || s.name != t || s.phase-inFlight >= retired-inFlight { // free, or retired
		return nil
	}
	return s
}

// issued reports whether the token was ever submitted here.
func (q *Queue) issued(t fiber.Token) bool {
	s, count := q.slots.peek(ioqueue.SlotOf(t)), q.countOf(t)
	return s != nil && count != 0 && count <= q.countOf(s.name)
}

// release ends a token: its slot may be used again under the next count.
func (q *Queue) release(s *slot) {
	s.owner, s.phase = 0, free
	if q.Released != nil {
		q.Released(ioqueue.SlotOf(s.name))
	}
	if s.name>>indexBits&maxCount == maxCount {
		s.phase = retired
		q.retired++
		return
	}
	q.slots.give(ioqueue.SlotOf(s.name), s)
}
