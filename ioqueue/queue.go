package ioqueue

import "github.com/selvage-dev/selvage/fiber"

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
//   - orphans counts the cancelDue and the orphaned.
type Queue struct {
	slots    table
	owned    []uint32 // by the owner's slot index: the head of its list
	cancel   uint32   // head of the list of tokens to be cancelled
	broken   []*Cell  // cells whose operation was abandoned
	dropped  func(fiber.Token, Completion)
	limit    int
	number   uint16
	retired  int
	awaiting int
	orphans  int // abandoned and not acknowledged
	room     Room
	counters Counters
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
	n, i := int(owner.Index()), q.slots.free
	_, regular := owner.ID().Regular()
	if i == 0 || !regular || n >= len(q.owned) || q.owned[n] != 0 || q.room.busy() {
		return q.submitOtherwise(owner)
	}
	q.owned[n] = i
	s := q.slots.at(i)
	q.slots.free = s.next
	s.next, s.prev = i, i
	return q.begin(s, owner), nil
}

// submitOtherwise is Submit where there is no slot at hand, or the owner has operations under
// way already.
func (q *Queue) submitOtherwise(owner fiber.RegularID) (fiber.Token, error) {
	if q.taken() || q.Crowded() {
		q.counters.Refused++
		return 0, ErrFull
	}
	return q.submit(owner)
}

// taken tells whether every token is given out, or kept for somebody.
func (q *Queue) taken() bool {
	n := q.slots.len + q.room.reserved
	return n-q.retired >= q.limit || n >= maxIndex
}

func (q *Queue) submit(owner fiber.RegularID) (fiber.Token, error) {
	if _, ok := owner.ID().Regular(); !ok {
		return 0, ErrNotOwner
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

// begin is the begin of an operation whose slot is on its owner's list.
func (q *Queue) begin(s *slot, owner fiber.RegularID) fiber.Token {
	q.slots.len++
	q.counters.Submitted++
	s.name += 1 << indexBits
	s.owner, s.phase = owner, inFlight
	return s.name
}

// unused is a slot that was never handed out, with the name before its first.
func (q *Queue) unused() uint32 {
	i := q.slots.unused()
	q.slots.at(i).name = q.token(i, 0)
	return i
}

// list is the head of the owner's list; it makes room for an owner never seen.
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

// Take collects the result of a token that was completed, and ends the token. It is
// false while the operation is in flight, when a cell is to get the result, and for a
// token that is over or never was.
func (q *Queue) Take(t fiber.Token) (c Completion, ok bool) {
	ok = q.TakeInto(t, &c)
	return c, ok
}

// TakeInto is Take without a copy of the result on the way: it is too large for registers.
func (q *Queue) TakeInto(t fiber.Token, c *Completion) bool {
	s := q.slots.peek(SlotOf(t))
	if s == nil || s.name != t || s.cell != nil || s.phase != done && s.phase != ready {
		return false
	}
	q.end(s, c)
	return true
}

// end removes a completed token and gives what it held.
func (q *Queue) end(s *slot, c *Completion) {
	s.give(c)
	q.remove(&q.owned[s.owner.Index()], SlotOf(s.name), s)
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
	if s := q.slots.peek(SlotOf(t)); s != nil && s.name == t {
		return s.owner
	}
	return 0
}

// TokenIn is the token that has this slot (SlotOf), or that had it last; 0 for a slot that
// never was any token's.
func (q *Queue) TokenIn(slot uint32) fiber.Token {
	if s := q.slots.peek(slot); s != nil && s.name>>indexBits&maxCount != 0 {
		return s.name
	}
	return 0
}

// OwnerIn is the fiber of that slot index that has submitted operations which are neither
// over nor given up; 0 if none has.
func (q *Queue) OwnerIn(index uint32) fiber.RegularID {
	if int(index) >= len(q.owned) || q.owned[index] == 0 {
		return 0
	}
	return q.slots.at(q.owned[index]).owner
}

// Awaiting counts the tokens whose completion will be delivered to somebody: awaited
// by their owner, or with a cell attached. While it is not 0, waiting can help.
func (q *Queue) Awaiting() int { return q.awaiting }

// Outstanding counts the tokens without a completion, abandoned ones included.
func (q *Queue) Outstanding() int {
	c := &q.counters
	return int(c.Submitted - c.Completed - c.Late)
}

// Counters are the totals so far.
func (q *Queue) Counters() Counters { return q.counters }
