package actor

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

func (q *queue[V]) push(v V) {
	if q.tail-q.head == uint(len(q.ring)) {
		q.grow()
	}
	q.ring[q.tail&uint(len(q.ring)-1)] = v
	q.tail++
}

// pop takes the oldest; the caller has checked that there is one. The slot is cleared so
// that it keeps nothing alive.
func (q *queue[V]) pop() V {
	var none V
	slot := &q.ring[q.head&uint(len(q.ring)-1)]
	v := *slot
	*slot = none
	q.head++
	if q.head == q.tail && len(q.ring) > keptLength {
		*q = queue[V]{}
	}
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

// first is the index of the oldest.
func (q *queue[V]) first() uint {
	if len(q.ring) == 0 {
		return 0
	}
	return q.head & uint(len(q.ring)-1)
}
