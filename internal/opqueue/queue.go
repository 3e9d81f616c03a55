package opqueue

import (
	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/ioqueue"
)

// defaultLimit is the number of tokens of a queue that is given no limit.
const defaultLimit = 1 << 20

// Queue holds the operations of one scheduler. Make one with New. All methods belong to
// the goroutine that owns the scheduler; each takes constant time unless its comment says
// otherwise.
//
// Invariants, checked by the tests after every operation:
//   - a slot on an owner's list is in flight, awaited, attached, done or ready;
//   - a slot on the cancel list is cancelDue, and all cancelDue slots are on it;
//   - Awaiting counts awaited and attached slots; Outstanding counts those and the
//     ones in flight, cancelDue and orphaned;
//   - orphans counts the cancelDue and the orphaned.
type Queue struct {
	// Released is called with the slot of each token that ends; it must not call the queue. nil: not.
	Released func(slot uint32)
	slots    table
	owned    []uint32        // by the owner's slot index: the head of its list
	cancel   uint32          // head of the list of tokens to be cancelled
	broken   []*ioqueue.Cell // cells whose operation was abandoned
	dropped  func(fiber.Token, ioqueue.Completion)
	limit    int    // most tokens at a time
	number   uint16 // the scheduler's, part of every token
	retired  int    // slots that have used up their count
	awaiting int
	orphans  int // abandoned and not acknowledged
	room     Room
	counters ioqueue.Counters
}

// New makes a queue for the scheduler with the number. Limit is the most tokens at a time;
// 0 means 1,048,576, and no queue has more than 2²⁴−1. The hook dropped, if not nil, is given
// each completion that no fiber will take, so that what it holds (a connection) can be
// closed (I12); it must not call the queue.
func New(number uint16, limit int, dropped func(fiber.Token, ioqueue.Completion)) *Queue {
	if limit <= 0 {
		limit = defaultLimit
	}
	q := &Queue{number: number, limit: min(limit, maxIndex), dropped: dropped}
	q.room.queue = q
	return q
}

// Submit names a new operation of the owner. Errors: ErrFull (wait for Room), ErrNotOwner
// for an ID that is not a regular fiber's, ErrForgottenOwner.
func (q *Queue) Submit(owner fiber.RegularID) (fiber.Token, error) {
	n, i := int(owner.Index()), q.slots.free
	_, regular := owner.ID().Regular()
	if i == 0 || !regular || n >= len(q.owned) || q.owned[n] != 0 || q.room.busy() {
		return q.submitSlow(owner)
	}
	q.owned[n] = i
	s := q.slots.at(i)
	q.slots.free = s.next
	s.next, s.prev = i, i
	return q.begin(s, owner), nil
}

// submitSlow is Submit when there is no free slot, the owner has other operations, or a
// fiber waits for room.
func (q *Queue) submitSlow(owner fiber.RegularID) (fiber.Token, error) {
	if q.taken() || q.Crowded() {
		q.counters.Refused++
		return 0, ioqueue.ErrFull
	}
	return q.submit(owner)
}

// taken reports whether every token is given out or reserved.
func (q *Queue) taken() bool {
	n := q.slots.len + q.room.reserved
	return n-q.retired >= q.limit || n >= maxIndex
}

func (q *Queue) submit(owner fiber.RegularID) (fiber.Token, error) {
	if _, ok := owner.ID().Regular(); !ok {
		return 0, ioqueue.ErrNotOwner
	}
	head := q.list(owner)
	if *head != 0 && q.slots.at(*head).owner != owner {
		return 0, ErrForgottenOwner
	}
	i := q.slots.free
	if i == 0 {
		i = q.unused()
	}
	s := q.slots.at(i)
	q.slots.free = s.next
	q.push(head, i, s)
	return q.begin(s, owner), nil
}

// begin starts an operation whose slot is on its owner's list already.
func (q *Queue) begin(s *slot, owner fiber.RegularID) fiber.Token {
	q.slots.len++
	q.counters.Submitted++
	s.name += 1 << indexBits
	s.owner, s.phase = owner, inFlight
	return s.name
}

// unused takes a slot that was never handed out and gives it the name before its first, so
// that begin makes the first one.
func (q *Queue) unused() uint32 {
	i := q.slots.unused()
	q.slots.at(i).name = q.token(i, 0)
	return i
}

// list is the head of the owner's list. It grows the table for a new slot index.
func (q *Queue) list(owner fiber.RegularID) *uint32 {
	n := int(owner.Index())
	if n >= len(q.owned) {
		q.fit(n + 1)
	}
	return &q.owned[n]
}

func (q *Queue) fit(owners int) {
	owned := make([]uint32, max(owners, 2*len(q.owned)))
	copy(owned, q.owned)
	q.owned = owned
}

// Take moves the result of a completed token to c, and ends the token. It returns false
// while the operation is in flight, when a cell is to get the result, and for a token that
// has ended or is unknown. The result is passed by address because it is too large for
// registers.
func (q *Queue) Take(t fiber.Token, c *ioqueue.Completion) bool {
	s := q.slots.peek(ioqueue.SlotOf(t))
	if s == nil || s.name != t || s.cell != nil || s.phase != done && s.phase != ready {
		return false
	}
	q.end(s, c)
	return true
}

// end ends a completed token and moves its result to c.
func (q *Queue) end(s *slot, c *ioqueue.Completion) {
	s.give(c)
	q.remove(&q.owned[s.owner.Index()], ioqueue.SlotOf(s.name), s)
	q.release(s)
}

// drop passes a completion that no fiber will take to the hook.
func (q *Queue) drop(t fiber.Token, c ioqueue.Completion) {
	if q.dropped != nil {
		q.dropped(t, c)
	}
}

// Owner is the fiber that submitted the token; 0 after it was abandoned or has ended.
func (q *Queue) Owner(t fiber.Token) fiber.RegularID {
	if s := q.slots.peek(ioqueue.SlotOf(t)); s != nil && s.name == t {
		return s.owner
	}
	return 0
}

// TokenIn is the token that has this slot (SlotOf), or had it last; 0 for a slot that was
// never used.
func (q *Queue) TokenIn(slot uint32) fiber.Token {
	if s := q.slots.peek(slot); s != nil && s.name>>indexBits&maxCount != 0 {
		return s.name
	}
	return 0
}

// OwnerIn is the fiber at that slot index if it has operations that have neither ended nor
// been abandoned; else 0.
func (q *Queue) OwnerIn(index uint32) fiber.RegularID {
	if int(index) >= len(q.owned) || q.owned[index] == 0 {
		return 0
	}
	return q.slots.at(q.owned[index]).owner
}

// Awaiting counts the tokens whose completion will wake a fiber or complete a cell: awaited
// by their owner, or attached. While it is not 0, an idle scheduler waits for a device and
// is not in deadlock.
func (q *Queue) Awaiting() int { return q.awaiting }

// Outstanding counts the tokens without a completion, abandoned ones included.
func (q *Queue) Outstanding() int {
	c := &q.counters
	return int(c.Submitted - c.Completed - c.Late)
}

// Counters are the totals so far.
func (q *Queue) Counters() ioqueue.Counters { return q.counters }
