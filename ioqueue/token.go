package ioqueue

import "github.com/selvage-dev/selvage/fiber"

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

// split takes a token apart. A count of 0, which no token has, stands for one of another
// queue.
func (q *Queue) split(t fiber.Token) (index uint32, count uint64) {
	if uint16(t>>numberShift) != q.number {
		return 0, 0
	}
	return uint32(t & maxIndex), uint64(t) >> indexBits & maxCount
}

// SlotOf is the small number of a token that is not over: no two have the same, and it
// is at most as many as were ever there at once, and those that were retired (one in 2²⁴
// operations). Shells index their own tables by it; a later token may have it again, so the
// table notes whose it is.
func SlotOf(t fiber.Token) uint32 {
	return uint32(t & maxIndex)
}

// phase is the one state of a slot. Who may change it is in the comment.
type phase uint8

const (
	// A zero slot is free, on the slab's free stack. Next: inFlight (Submit).
	_ phase = iota
	// inFlight: submitted, nobody waits. Next: awaited, attached, done, cancelDue.
	inFlight
	// awaited: the owner waits with the slot's ticket. Next: ready (Complete),
	// inFlight (Unawait), cancelDue.
	awaited
	// attached: a cell takes the result. Next: ready (Complete), cancelDue.
	attached
	// done: completed before anybody waited. Next: ready (Await, Attach), free.
	done
	// ready: completed and announced to the owner or the cell. Next: free.
	ready
	// cancelDue: abandoned, on the cancel list. Next: orphan, free (Complete).
	cancelDue
	// orphan: abandoned, the shell knows. Next: free (Complete).
	orphan
	// retired: the count is used up. Nothing follows.
	retired
)

// slot is one operation. Slots of one owner, and slots on the cancel list, are linked
// through next and prev; never both.
type slot struct {
	completion Completion   // done and ready only
	cell       *Cell        // attached, or ready for Settle
	ticket     fiber.Ticket // awaited only
	count      uint64       // survives the free slot
	owner      fiber.RegularID
	next, prev uint32
	phase      phase
}

// waits tells whether somebody is to be told about the completion.
func (s *slot) waits() bool { return s.phase == awaited || s.phase == attached }

// live finds the slot of a token that is not over. Any number may be asked for.
func (q *Queue) live(t fiber.Token) (uint32, *slot, bool) {
	i, count := q.split(t)
	s, ok := q.slots.Get(i)
	if !ok || count == 0 || s.count != count || s.phase == retired {
		return 0, nil, false
	}
	return i, s, true
}

// issued tells whether the token was ever submitted here.
func (q *Queue) issued(t fiber.Token) bool {
	i, count := q.split(t)
	return i != 0 && int(i) <= q.slots.Cap() && count != 0 && count <= q.slots.At(i).count
}

// release ends a token: its slot may be used again under the next count.
func (q *Queue) release(i uint32, s *slot) {
	count := s.count
	if count == maxCount {
		*s = slot{count: count, phase: retired}
		q.retired++
		return
	}
	q.slots.Free(i)
	s.count = count
}
