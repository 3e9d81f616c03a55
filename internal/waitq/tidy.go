package waitq

// at is the entry at a position. The buffer is not empty when it is called.
func (q *ring[V]) at(i uint64) *entry[V] { return &q.buf[i&uint64(len(q.buf)-1)] }

// kill leaves a tombstone: the ticket keeps the order, the value is let go.
func (e *entry[V]) kill() {
	var none V
	e.value, e.live = none, false
}

// settle restores the invariants after entries were removed: no zone starts or ends
// with a tombstone that can be dropped, tombstones are at most half, and memory taken
// by a burst is given back.
func (q *ring[V]) settle() {
	for q.mid < q.tail && !q.at(q.mid).live {
		q.mid++
	}
	for q.head < q.mid && !q.at(q.head).live {
		q.head++
	}
	for q.tail > q.head && !q.at(q.tail-1).live {
		q.tail--
	}
	q.mid = min(q.mid, q.tail)
	switch {
	case !q.untidy():
	case q.oversized():
		q.resize(len(q.buf) / 4)
	default:
		q.compact()
	}
}

// untidy reports whether tombstones are more than half, or memory is to be given back.
func (q *ring[V]) untidy() bool {
	used := q.tail - q.head
	return used >= sparse && uint64(q.waiting+q.assigned)*2 < used || q.oversized()
}

func (q *ring[V]) oversized() bool {
	return len(q.buf) > kept && (q.waiting+q.assigned)*8 <= len(q.buf)
}

// compact moves the live entries together. It costs at most twice the number of
// tombstones it removes, so each removal pays for its own.
func (q *ring[V]) compact() {
	to, mid := q.head, q.head+uint64(q.assigned)
	for from := q.head; from < q.tail; from++ {
		if e := q.at(from); e.live {
			if to != from {
				*q.at(to) = *e
				e.kill()
			}
			to++
		}
	}
	q.mid, q.tail = mid, to
}

// resize moves the live entries to a ring of n slots, a power of two that holds them.
func (q *ring[V]) resize(n int) {
	buf, to := make([]entry[V], n), 0
	for i := q.head; i < q.tail; i++ {
		if e := q.at(i); e.live {
			buf[to] = *e
			to++
		}
	}
	q.buf = buf
	q.head, q.mid, q.tail = 0, uint64(q.assigned), uint64(to)
}
