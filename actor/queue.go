package actor

import "iter"

// A queue whose ring has grown beyond keptLength frees it when it is empty, so that one burst does
// not keep its memory for the life of the system.
const (
	firstLength = 64
	keptLength  = 1 << 17
)

// queue is a FIFO in a ring whose length is a power of two. It grows by doubling, and
// allocates nothing once it has held as much as it ever will (up to keptLength).
type queue[V any] struct {
	ring []V
	head uint // the oldest is at head modulo the length of the ring
	n    uint // how many there are
	// room is how many it may hold before a put of one more has to look closer: the
	// length of the ring, or most if that is less.
	room uint
	most int
}

func (q *queue[V]) len() int { return int(q.n) }

func (q *queue[V]) push(v V) {
	if q.n == uint(len(q.ring)) {
		q.grow()
	}
	*q.put() = v
}

// isTight tells whether there is no room for put.
func (q *queue[V]) isTight() bool { return q.n >= q.room }

// put is push without a value: it returns the place of the new entry, and the caller writes every
// field of it. There must be room (isTight).
func (q *queue[V]) put() *V {
	q.n++
	return &q.ring[(q.head+q.n-1)&uint(len(q.ring)-1)]
}

// front is the place of the oldest entry, valid until the next push or drop. The queue must not be
// empty.
func (q *queue[V]) front() *V { return &q.ring[q.head&uint(len(q.ring)-1)] }

// drop removes the oldest. The caller has cleared its pointers before, which the ring would keep
// alive.
func (q *queue[V]) drop() {
	q.head++
	q.n--
}

// rest resets an empty queue to the start of its ring, so that short queues use the same cache
// lines again.
func (q *queue[V]) rest() {
	q.head = 0
	if len(q.ring) > keptLength {
		q.ring, q.room = nil, 0
	}
}

func (q *queue[V]) pop() V {
	var none V
	p := q.front()
	v := *p
	*p = none
	q.drop()
	if q.n == 0 {
		q.rest()
	}
	return v
}

// unpop puts an entry in front of the oldest.
func (q *queue[V]) unpop(v V) {
	if q.n == uint(len(q.ring)) {
		q.grow()
	}
	q.head--
	q.n++
	q.ring[q.head&uint(len(q.ring)-1)] = v
}

func (q *queue[V]) grow() {
	ring := make([]V, max(2*len(q.ring), firstLength))
	n := copy(ring, q.ring[q.first():])
	copy(ring[n:], q.ring[:q.first()])
	q.head, q.ring = 0, ring
	q.room = uint(min(len(ring), q.most))
}

// all yields what is in the queue, the oldest first.
func (q *queue[V]) all() iter.Seq[*V] {
	return func(yield func(*V) bool) {
		for i := q.head; i != q.head+q.n; i++ {
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
