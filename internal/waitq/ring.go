package waitq

import "github.com/selvage-dev/selvage/fiber"

const (
	smallest = 4   // slots of the first ring
	kept     = 256 // a ring of at most this many slots is never given back
	sparse   = 8   // below this many slots tombstones are not worth a compaction
)

// ring is the registrations behind the front, sorted by Ticket.Seq.
//
// Invariants, checked by the property test after every operation:
//   - head ≤ mid ≤ tail, tail-head ≤ len(buf), len(buf) is 0 or a power of two;
//   - tickets in [head, tail) never go down in Seq, removed entries included;
//   - [head, mid) is the assigned zone and starts with a live entry unless empty;
//   - [mid, tail) is the waiting zone and starts and ends with a live entry unless empty;
//   - an entry that is not live, and every slot outside [head, tail), has a zero value.
type ring[V any] struct {
	head, mid, tail uint64 // ever growing positions; the slot is the low bits
	waiting         int
	assigned        int
	buf             []entry[V]
}

// entry is one registration. Which zone it lies in says whether it waits.
type entry[V any] struct {
	value  V
	ticket fiber.Ticket
	tag    uint32
	live   bool // false: a tombstone that only keeps the order searchable
}

func (q *ring[V]) push(t fiber.Ticket, tag uint32, v V) {
	if q.tail-q.head == uint64(len(q.buf)) {
		q.resize(max(2*len(q.buf), smallest))
	}
	*q.at(q.tail) = entry[V]{v, t, tag, true}
	q.tail++
	q.waiting++
}

func (q *ring[V]) match(v V) (t fiber.Ticket, tag uint32, ok bool) {
	if q.mid == q.tail {
		return fiber.Ticket{}, 0, false
	}
	e := q.at(q.mid)
	e.value = v
	t, tag = e.ticket, e.tag
	q.mid++
	q.waiting--
	q.assigned++
	q.dropTwins(t)
	return t, tag, true
}

func (q *ring[V]) pop() (t fiber.Ticket, tag uint32, v V, ok bool) {
	if q.mid == q.tail {
		return t, 0, v, false
	}
	e := q.at(q.mid)
	t, tag, v = e.ticket, e.tag, e.value
	e.kill()
	q.waiting--
	q.mid++
	if q.head+1 == q.mid { // no tombstone stays behind
		q.head++
		if len(q.buf) <= kept && (q.mid == q.tail || q.at(q.mid).ticket.Seq != t.Seq && q.at(q.mid).live) {
			return t, tag, v, true
		}
	}
	q.dropTwins(t)
	return t, tag, v, true
}

// dropTwins removes the registrations of t from the front of the waiting zone; they
// are adjacent because they were pushed in a row. Most often there is none, the next in
// line is alive, and nothing needs tidying.
func (q *ring[V]) dropTwins(t fiber.Ticket) {
	if q.mid < q.tail && !q.untidy() {
		if e := q.at(q.mid); e.live && e.ticket.Seq != t.Seq {
			return
		}
	}
	for ; q.mid < q.tail && q.at(q.mid).ticket.Seq == t.Seq; q.mid++ {
		if e := q.at(q.mid); e.live {
			e.kill()
			q.waiting--
		}
	}
	q.settle()
}
