package waitq

import "github.com/selvage-dev/selvage/fiber"

// Collect takes the value assigned to the ticket; false if there is none. O(1) for
// the one assigned first, O(log n) for any other.
func (q *Queue[V]) Collect(t fiber.Ticket) (v V, tag uint32, ok bool) {
	if q.phase == assigned && q.front.ticket == t {
		return q.leave(), q.front.tag, true
	}
	if q.rest.assigned == 0 {
		return v, 0, false
	}
	return q.rest.collect(t)
}

// Forfeit takes back a value whose fiber died before it collected (I12): the caller
// counts it and hands it to its hook, or passes the lock on.
func (q *Queue[V]) Forfeit(t fiber.Ticket) (V, bool) {
	v, _, ok := q.Collect(t)
	return v, ok
}

// ForfeitOldest takes back the value that was assigned first, whichever ticket has it; false if
// none is assigned. Amortised O(1).
func (q *Queue[V]) ForfeitOldest() (v V, ok bool) {
	switch {
	case q.phase == assigned:
		return q.leave(), true
	case q.rest.assigned > 0:
		v, _, ok = q.rest.collect(q.rest.at(q.rest.head).ticket)
	}
	return v, ok
}

// Withdraw removes every registration of the ticket that still waits and says how
// many there were. A value already assigned stays. O(log n).
func (q *Queue[V]) Withdraw(t fiber.Ticket) int {
	removed := 0
	if q.phase == waits && q.front.ticket == t {
		q.leave()
		removed++
	}
	if q.rest.waiting > 0 {
		removed += q.rest.withdraw(t)
	}
	return removed
}

// Holds reports whether a registration of the ticket waits here. O(log n).
func (q *Queue[V]) Holds(t fiber.Ticket) bool {
	return q.phase == waits && q.front.ticket == t || q.rest.waiting > 0 && q.rest.seek(t) != nil
}

// Keeps reports whether something is assigned to the ticket that it has not collected. O(log n).
func (q *Queue[V]) Keeps(t fiber.Ticket) bool {
	return q.phase == assigned && q.front.ticket == t || q.rest.assigned > 0 && q.rest.keeps(t)
}

// Peek is what the oldest registration of the ticket carries that waits here, and false
// if none does. The pointer is as Head's. O(log n).
func (q *Queue[V]) Peek(t fiber.Ticket) (v *V, ok bool) {
	if q.phase == waits && q.front.ticket == t {
		return &q.front.value, true
	}
	if q.rest.waiting > 0 {
		if e := q.rest.seek(t); e != nil {
			return &e.value, true
		}
	}
	return nil, false
}
