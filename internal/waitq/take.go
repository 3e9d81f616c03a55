package waitq

import "github.com/selvage-dev/selvage/fiber"

// Collect takes the value assigned to the ticket; false if there is none. O(1) for
// the one assigned first, O(log n) for any other.
func (q *Queue[V]) Collect(t fiber.Ticket) (v V, tag uint32, ok bool) {
	for i := q.find(t, q.head, q.mid); i < q.mid; i++ {
		e := q.at(i)
		if e.ticket != t {
			break
		}
		if e.live {
			v, tag = e.value, e.tag
			e.kill()
			q.assigned--
			q.settle()
			return v, tag, true
		}
	}
	return v, 0, false
}

// Forfeit takes back a value whose fiber died before it collected (I12): the caller
// counts it and hands it to its hook, or passes the lock on.
func (q *Queue[V]) Forfeit(t fiber.Ticket) (V, bool) {
	v, _, ok := q.Collect(t)
	return v, ok
}

// Withdraw removes every registration of the ticket that still waits and says how
// many there were. A value already assigned stays. O(log n).
func (q *Queue[V]) Withdraw(t fiber.Ticket) int {
	removed := 0
	for i := q.find(t, q.mid, q.tail); i < q.tail; i++ {
		e := q.at(i)
		if e.ticket != t {
			break
		}
		if e.live {
			e.kill()
			removed++
		}
	}
	if removed > 0 {
		q.waiting -= removed
		q.settle()
	}
	return removed
}

// Holds tells whether a registration of the ticket waits here. O(log n).
func (q *Queue[V]) Holds(t fiber.Ticket) bool {
	for i := q.find(t, q.mid, q.tail); i < q.tail && q.at(i).ticket == t; i++ {
		if q.at(i).live {
			return true
		}
	}
	return false
}

// find is the first position in [from, to) whose Seq is not below the ticket's. Both
// ends are tried first: most waits end oldest first, and a wait that ends at once
// (a cancelled try) is the newest.
func (q *Queue[V]) find(t fiber.Ticket, from, to uint64) uint64 {
	if from == to || q.at(from).ticket.Seq >= t.Seq {
		return from
	}
	if last := q.at(to - 1).ticket.Seq; last < t.Seq {
		return to
	} else if last == t.Seq && q.at(to-1-min(1, to-1-from)).ticket.Seq < t.Seq {
		return to - 1
	}
	for from < to {
		middle := from + (to-from)/2
		if q.at(middle).ticket.Seq < t.Seq {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}
