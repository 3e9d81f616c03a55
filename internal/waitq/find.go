package waitq

import "github.com/selvage-dev/selvage/fiber"

func (q *ring[V]) collect(t fiber.Ticket) (v V, tag uint32, ok bool) {
	if e := q.at(q.head); e.ticket == t { // live: the zone starts so, and is not empty
		v, tag = e.value, e.tag
		e.kill()
		q.head++
		q.assigned--
		if q.untidy() || q.head < q.mid && !q.at(q.head).live {
			q.settle()
		}
		return v, tag, true
	}
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

func (q *ring[V]) keeps(t fiber.Ticket) bool {
	for i := q.find(t, q.head, q.mid); i < q.mid; i++ {
		if e := q.at(i); e.ticket != t || e.live {
			return e.ticket == t
		}
	}
	return false
}

func (q *ring[V]) withdraw(t fiber.Ticket) int {
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

// seek is the oldest registration of the ticket that waits, or nil.
func (q *ring[V]) seek(t fiber.Ticket) *entry[V] {
	for i := q.find(t, q.mid, q.tail); i < q.tail && q.at(i).ticket == t; i++ {
		if e := q.at(i); e.live {
			return e
		}
	}
	return nil
}

// find is the first position in [from, to) whose Seq is not below the ticket's. Both
// ends are tried first: most waits end oldest first, and a wait that ends at once
// (a cancelled try) is the newest.
func (q *ring[V]) find(t fiber.Ticket, from, to uint64) uint64 {
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
