package waitq

import (
	"iter"

	"github.com/selvage-dev/selvage/fiber"
)

// Queue is the waiters of one object. V is what a registration carries: the value to
// send while it waits, the value received once it is matched. The zero Queue is empty
// and ready. It belongs to the goroutine that owns the scheduler.
//
// Invariants, checked by the property test after every operation:
//   - head ≤ mid ≤ tail, tail-head ≤ len(buf), len(buf) is 0 or a power of two;
//   - tickets in [head, tail) never go down in Seq, removed entries included;
//   - [head, mid) is the assigned zone and starts with a live entry unless empty;
//   - [mid, tail) is the waiting zone and starts and ends with a live entry unless empty;
//   - an entry that is not live, and every slot outside [head, tail), has a zero value.
type Queue[V any] struct {
	buf             []entry[V]
	head, mid, tail uint64 // ever growing positions; the slot is the low bits
	waiting         int
	assigned        int
	last            fiber.Ticket // the newest ticket ever pushed
}

// entry is one registration. Which zone it lies in says whether it waits.
type entry[V any] struct {
	value  V
	ticket fiber.Ticket
	tag    uint32
	live   bool // false: a tombstone that only keeps the order searchable
}

// Push registers a ticket behind all others. The tag is the caller's own (the case
// index of a select); the same ticket may be pushed several times in a row. It returns
// false and changes nothing for the zero ticket, for a Seq below the newest one ever
// pushed and for the newest Seq with another ID: the caller broke I11. Amortised O(1).
func (q *Queue[V]) Push(t fiber.Ticket, tag uint32, v V) bool {
	if t.IsZero() || t.Seq < q.last.Seq || t.Seq == q.last.Seq && t.ID != q.last.ID {
		return false
	}
	if q.tail-q.head == uint64(len(q.buf)) {
		q.resize(max(2*len(q.buf), smallest))
	}
	*q.at(q.tail) = entry[V]{value: v, ticket: t, tag: tag, live: true}
	q.tail++
	q.waiting++
	q.last = t
	return true
}

// Head is the registration that has waited longest, and false if none waits. The
// pointer may be read and written until the next call that changes the queue.
func (q *Queue[V]) Head() (t fiber.Ticket, tag uint32, v *V, ok bool) {
	if q.mid == q.tail {
		return fiber.Ticket{}, 0, nil, false
	}
	e := q.at(q.mid)
	return e.ticket, e.tag, &e.value, true
}

// Match assigns v to the registration that has waited longest and tells whose it is;
// false if none waits. The value stays here until Collect or Forfeit. The ticket's
// other registrations stop waiting: a ticket is good for one wake. Amortised O(1).
func (q *Queue[V]) Match(v V) (t fiber.Ticket, tag uint32, ok bool) {
	if q.mid == q.tail {
		return fiber.Ticket{}, 0, false
	}
	e := q.at(q.mid)
	e.value = v
	q.mid++
	q.waiting--
	q.assigned++
	t, tag = e.ticket, e.tag
	q.dropTwins(t)
	q.settle()
	return t, tag, true
}

// Pop removes the registration that has waited longest, with the ticket's others, and
// returns what it carried; false if none waits. Amortised O(1).
func (q *Queue[V]) Pop() (t fiber.Ticket, tag uint32, v V, ok bool) {
	if q.mid == q.tail {
		return t, 0, v, false
	}
	e := q.at(q.mid)
	t, tag, v = e.ticket, e.tag, e.value
	q.dropTwins(t)
	q.settle()
	return t, tag, v, true
}

// dropTwins removes the registrations of t from the front of the waiting zone; they
// are adjacent because they were pushed in a row.
func (q *Queue[V]) dropTwins(t fiber.Ticket) {
	for ; q.mid < q.tail && q.at(q.mid).ticket.Seq == t.Seq; q.mid++ {
		if e := q.at(q.mid); e.live {
			e.kill()
			q.waiting--
		}
	}
}

// Waiting counts the registrations that wait; a ticket registered twice counts twice.
func (q *Queue[V]) Waiting() int { return q.waiting }

// Assigned counts the values handed over and not collected yet.
func (q *Queue[V]) Assigned() int { return q.assigned }

// All yields the waiting registrations, oldest first, each with its tag. The queue
// must not change meanwhile.
func (q *Queue[V]) All() iter.Seq2[fiber.Ticket, uint32] {
	return func(yield func(fiber.Ticket, uint32) bool) {
		for i := q.mid; i < q.tail; i++ {
			if e := q.at(i); e.live && !yield(e.ticket, e.tag) {
				return
			}
		}
	}
}
