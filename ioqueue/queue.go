package ioqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/internal/slab"
)

// DefaultLimit is the number of tokens of a queue that was given no limit.
const DefaultLimit = 1 << 20

// Queue is the operations of one scheduler. Make one with New. All methods belong to
// the goroutine that owns the scheduler; each takes constant time unless it says so.
//
// Invariants, checked by the tests after every operation:
//   - a slot on an owner's list is in flight, awaited, attached, done or ready;
//   - a slot on the cancel list is cancelDue, and all cancelDue slots are on it;
//   - Awaiting counts awaited and attached slots; Outstanding counts those and the
//     ones in flight, cancelDue and orphaned;
//   - orphans counts the cancelDue and the orphaned;
//   - Submitted = Completed + Late + Outstanding (I12).
type Queue struct {
	slots       slab.Slab[slot]
	owned       []uint32 // by the owner's slot index: the head of its list
	cancel      uint32   // head of the list of tokens to be cancelled
	broken      []*Cell  // cells whose operation was abandoned
	dropped     func(fiber.Token, Completion)
	limit       int
	number      uint16
	retired     int
	awaiting    int
	outstanding int
	orphans     int // abandoned and not acknowledged
	room        Room
	counters    Counters
}

// New makes a queue of at most limit tokens at a time, whose tokens show its number: the
// scheduler's. A limit of 0 means DefaultLimit, and no queue has more than 2²⁴−1. The hook
// dropped, if any, is given each completion that no fiber will ever take, so that what it
// holds (a connection) can be closed (I12); it must not call the queue.
func New(number uint16, limit int, dropped func(fiber.Token, Completion)) *Queue {
	if limit <= 0 {
		limit = DefaultLimit
	}
	q := &Queue{number: number, limit: min(limit, maxIndex), dropped: dropped}
	q.room.queue = q
	return q
}

// Submit names a new operation of the owner. Errors: ErrFull (wait for Room), ErrNotOwner
// for an ID that is not a regular fiber's, ErrForgottenOwner.
func (q *Queue) Submit(owner fiber.RegularID) (fiber.Token, error) {
	if q.taken() || q.Crowded() {
		q.counters.Refused++
		return 0, ErrFull
	}
	return q.submit(owner)
}

// taken tells whether every token is given out, or kept for somebody.
func (q *Queue) taken() bool {
	n := q.slots.Len() + q.room.kept
	return n-q.retired >= q.limit || n >= maxIndex
}

func (q *Queue) submit(owner fiber.RegularID) (fiber.Token, error) {
	if _, ok := owner.ID().Regular(); !ok {
		return 0, ErrNotOwner
	}
	head := q.list(owner)
	if *head != 0 && q.slots.At(*head).owner != owner {
		return 0, ErrForgottenOwner
	}
	i, s := q.slots.Alloc()
	s.name = q.token(i, q.countOf(s.name)+1)
	s.owner, s.phase = owner, inFlight
	q.push(head, i)
	q.outstanding++
	q.counters.Submitted++
	return s.name, nil
}

// list is the head of the owner's list; it makes room for an owner never seen.
func (q *Queue) list(owner fiber.RegularID) *uint32 {
	if n := int(owner.Index()); n >= len(q.owned) {
		owned := make([]uint32, max(n+1, 2*len(q.owned)))
		copy(owned, q.owned)
		q.owned = owned
	}
	return &q.owned[owner.Index()]
}

// Take collects the result of a token that was completed, and ends the token. It is
// false while the operation is in flight, when a cell is to get the result, and for a
// token that is over or never was.
func (q *Queue) Take(t fiber.Token) (c Completion, ok bool) {
	ok = q.TakeInto(t, &c)
	return c, ok
}

// TakeInto is Take without a copy of the result on the way: it is too large for registers.
func (q *Queue) TakeInto(t fiber.Token, c *Completion) bool {
	s := q.live(t)
	if s == nil || s.cell != nil || s.phase != done && s.phase != ready {
		return false
	}
	q.end(s, c)
	return true
}

// end removes a completed token and gives what it held.
func (q *Queue) end(s *slot, c *Completion) {
	*c = s.completion
	q.remove(q.list(s.owner), SlotOf(s.name))
	q.release(s)
}

// drop counts a completion nobody will take, and hands it to the hook.
func (q *Queue) drop(t fiber.Token, c Completion) {
	if q.dropped != nil {
		q.dropped(t, c)
	}
}

// Owner is the fiber that submitted the token: 0 once it was abandoned or is over.
func (q *Queue) Owner(t fiber.Token) fiber.RegularID {
	if s := q.live(t); s != nil {
		return s.owner
	}
	return 0
}

// OwnerIn is the fiber of that slot index that has submitted operations which are neither
// over nor given up; 0 if none has.
func (q *Queue) OwnerIn(index uint32) fiber.RegularID {
	if int(index) >= len(q.owned) || q.owned[index] == 0 {
		return 0
	}
	return q.slots.At(q.owned[index]).owner
}

// Awaiting counts the tokens whose completion will be delivered to somebody: awaited
// by their owner, or with a cell attached. While it is not 0, waiting can help.
func (q *Queue) Awaiting() int { return q.awaiting }

// Outstanding counts the tokens without a completion, abandoned ones included.
func (q *Queue) Outstanding() int { return q.outstanding }

// Counters are the totals so far.
func (q *Queue) Counters() Counters { return q.counters }
