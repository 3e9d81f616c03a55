package actor

import "iter"

// A queue that has held more than keptLength lets go of its memory when it is empty, so
// that one burst is not paid for ever.
const (
	firstLength = 64
	keptLength  = 1 << 17
)

// queue is a FIFO in a ring whose length is a power of two. It grows by doubling, and
// allocates nothing once it has held as much as it ever will (up to keptLength).
type queue[V any] struct {
	ring       []V
	head, tail uint
}

func (q *queue[V]) len() int { return int(q.tail - q.head) }

func (q *queue[V]) push(v V) { *q.add() = v }

// add is push of a zero V, to be filled in where it stands.
func (q *queue[V]) add() *V {
	if q.tail-q.head == uint(len(q.ring)) {
		q.grow()
	}
	q.tail++
	return &q.ring[(q.tail-1)&uint(len(q.ring)-1)]
}

// front is the oldest, where it stands until the next push or drop; the caller has checked
// that there is one.
func (q *queue[V]) front() *V { return &q.ring[q.head&uint(len(q.ring)-1)] }

// drop takes the oldest away. Its slot is cleared so that it keeps nothing alive.
func (q *queue[V]) drop() {
	var none V
	*q.front() = none
	q.head++
	if q.head == q.tail {
		q.rest()
	}
}

// rest begins again at the start of the ring, whose memory is in the cache.
func (q *queue[V]) rest() {
	q.head, q.tail = 0, 0
	if len(q.ring) > keptLength {
		q.ring = nil
	}
}

func (q *queue[V]) pop() V {
	v := *q.front()
	q.drop()
	return v
}

// unpop puts one back before the oldest.
func (q *queue[V]) unpop(v V) {
	if q.tail-q.head == uint(len(q.ring)) {
		q.grow()
	}
	q.head--
	q.ring[q.head&uint(len(q.ring)-1)] = v
}

func (q *queue[V]) grow() {
	ring := make([]V, max(2*len(q.ring), firstLength))
	n := copy(ring, q.ring[q.first():])
	copy(ring[n:], q.ring[:q.first()])
	q.head, q.tail, q.ring = 0, uint(len(q.ring)), ring
}

// all yields what is in the queue, the oldest first.
func (q *queue[V]) all() iter.Seq[*V] {
	return func(yield func(*V) bool) {
		for i := q.head; i != q.tail; i++ {
			if !yield(&q.ring[i&uint(len(q.ring)-1)]) {
				return
			}
		}
	}
}

// first is the index of the oldest.
func (q *queue[V]) first() uint {
	if len(q.ring) == 0 {
		return 0
	}
	return q.head & uint(len(q.ring)-1)
}
