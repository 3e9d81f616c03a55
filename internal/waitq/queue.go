package waitq

import (
	"iter"

	"github.com/selvage-dev/selvage/fiber"
)

// Queue is the waiters of one object. V is what a registration carries: the value to
// send while it waits, the value received once it is matched. The zero Queue is empty
// and ready. It belongs to the goroutine that owns the scheduler.
//
// Most objects have one waiter at a time. It stands in front, in the Queue itself, and
// costs no memory beside it; registrations behind it are in a ring.
//
// Invariants, checked by the property test after every operation:
//   - the front is older than every registration in the ring;
//   - while the front waits, no registration in the ring has a value assigned;
//   - the front has a zero value unless it waits or has a value assigned.
type Queue[V any] struct {
	front entry[V] // live if the phase says so
	phase phase
	last  fiber.Ticket // the newest ticket ever pushed
	rest  ring[V]
}

// phase says what the one in front does.
type phase uint8

const (
	nobody   phase = iota // no live front; the ring, if not empty, was pushed later
	waits                 // it waits
	assigned              // it was handed a value that it has not collected
)

// Push registers a ticket behind all others. The tag is the caller's own (the case
// index of a select); the same ticket may be pushed several times in a row. It returns
// false and changes nothing for the zero ticket, for a Seq below the newest one ever
// pushed and for the newest Seq with another ID: the caller broke I11. Amortised O(1).
func (q *Queue[V]) Push(t fiber.Ticket, tag uint32, v V) bool {
	if t.Seq <= q.last.Seq && (t != q.last || t.IsZero()) {
		return false
	}
	if !q.PushFirst(t, tag, v) {
		q.last = t
		q.rest.push(t, tag, v)
	}
	return true
}

// PushFirst is Push to an empty queue; otherwise, and where Push refuses, it
// returns false and changes nothing. It is small enough to be inlined.
func (q *Queue[V]) PushFirst(t fiber.Ticket, tag uint32, v V) bool {
	if t.Seq <= q.last.Seq || q.phase != nobody || q.rest.head != q.rest.tail {
		return false
	}
	q.front.value, q.front.ticket, q.front.tag = v, t, tag
	q.phase, q.last = waits, t
	return true
}

// MatchOnly is Match where exactly one registration waits, and in front; otherwise it
// returns false and changes nothing. It is small enough to be inlined.
func (q *Queue[V]) MatchOnly(v V) (t fiber.Ticket, tag uint32, ok bool) {
	if q.phase != waits || q.rest.waiting > 0 {
		return
	}
	q.front.value, q.phase = v, assigned
	return q.front.ticket, q.front.tag, true
}

// PopOnly is Pop where exactly one registration waits, and in front; otherwise it returns
// false and changes nothing. It is small enough to be inlined.
func (q *Queue[V]) PopOnly() (t fiber.Ticket, tag uint32, v V, ok bool) {
	if q.phase != waits || q.rest.waiting > 0 {
		return
	}
	var none V
	v, q.front.value, q.phase = q.front.value, none, nobody
	return q.front.ticket, q.front.tag, v, true
}

// Head is the registration that has waited longest, and false if none waits. The
// pointer may be read and written until the next call that changes the queue.
func (q *Queue[V]) Head() (t fiber.Ticket, tag uint32, v *V, ok bool) {
	e := &q.front
	if q.phase != waits {
		if q.rest.mid == q.rest.tail {
			return fiber.Ticket{}, 0, nil, false
		}
		e = q.rest.at(q.rest.mid)
	}
	return e.ticket, e.tag, &e.value, true
}

// AssignedAt is the i-th value that was assigned and not collected, with zero values between them;
// more is false behind the last.
func (q *Queue[V]) AssignedAt(i int) (v V, more bool) {
	if i == 0 {
		if q.phase == assigned {
			v = q.front.value
		}
		return v, true
	}
	if at := q.rest.head + uint64(i-1); at < q.rest.mid {
		return q.rest.at(at).value, true
	}
	return v, false
}

// Match assigns v to the registration that has waited longest and returns its ticket;
// false if none waits. The value stays here until Collect or Forfeit. The ticket's
// other registrations stop waiting: a ticket is good for one wake. Amortised O(1).
func (q *Queue[V]) Match(v V) (t fiber.Ticket, tag uint32, ok bool) {
	if q.phase != waits {
		return q.rest.match(v)
	}
	q.front.value = v
	q.phase = assigned
	if q.rest.waiting > 0 {
		q.rest.dropTwins(q.front.ticket)
	}
	return q.front.ticket, q.front.tag, true
}

// Pop removes the registration that has waited longest, with the ticket's others, and
// returns what it carried; false if none waits. Amortised O(1).
func (q *Queue[V]) Pop() (t fiber.Ticket, tag uint32, v V, ok bool) {
	if q.phase != waits {
		return q.rest.pop()
	}
	v = q.leave()
	if q.rest.waiting > 0 {
		q.rest.dropTwins(q.front.ticket)
	}
	return q.front.ticket, q.front.tag, v, true
}

// leave empties the front. Its ticket may stay: it is not read again.
func (q *Queue[V]) leave() V {
	var none V
	v := q.front.value
	q.front.value = none
	q.phase = nobody
	return v
}

// Waiting counts the registrations that wait; a ticket registered twice counts twice.
func (q *Queue[V]) Waiting() int {
	if q.phase == waits {
		return q.rest.waiting + 1
	}
	return q.rest.waiting
}

// AnyWaits reports whether Waiting is more than 0, in less time.
func (q *Queue[V]) AnyWaits() bool { return q.phase == waits || q.rest.waiting > 0 }

// Assigned counts the values handed over and not collected yet.
func (q *Queue[V]) Assigned() int {
	if q.phase == assigned {
		return q.rest.assigned + 1
	}
	return q.rest.assigned
}

// Newest is the ticket pushed last, whether or not it is still here; zero if none was.
func (q *Queue[V]) Newest() fiber.Ticket { return q.last }

// All yields the waiting registrations, oldest first, each with its tag. The queue
// must not change meanwhile.
func (q *Queue[V]) All() iter.Seq2[fiber.Ticket, uint32] {
	return func(yield func(fiber.Ticket, uint32) bool) {
		if q.phase == waits && !yield(q.front.ticket, q.front.tag) {
			return
		}
		for i := q.rest.mid; i < q.rest.tail; i++ {
			if e := q.rest.at(i); e.live && !yield(e.ticket, e.tag) {
				return
			}
		}
	}
}
