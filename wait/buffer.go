package wait

// smallestBuffer is how many values the first allocation of a buffer holds, if its
// channel's capacity allows as many.
const smallestBuffer = 8

// buffer is a FIFO of values. It grows by doubling up to its channel's capacity, so a
// channel of capacity a million costs nothing until it is used, and nothing is
// allocated once it has held as much as it ever will.
type buffer[V any] struct {
	ring []V
	head int
	n    int
}

// push appends a value. The caller has checked that n is below the capacity.
func (b *buffer[V]) push(v V, capacity int) {
	if b.n == len(b.ring) {
		b.grow(capacity)
	}
	i := b.head + b.n
	if i >= len(b.ring) {
		i -= len(b.ring)
	}
	b.ring[i] = v
	b.n++
}

// pop takes the oldest value; the caller has checked that there is one. The slot is
// cleared so that it keeps nothing alive.
func (b *buffer[V]) pop() V {
	var none V
	v := b.ring[b.head]
	b.ring[b.head] = none
	b.head++
	if b.head == len(b.ring) {
		b.head = 0
	}
	b.n--
	return v
}

func (b *buffer[V]) grow(capacity int) {
	ring := make([]V, min(max(2*b.n, smallestBuffer), capacity))
	for i := range b.n {
		ring[i] = b.ring[(b.head+i)%len(b.ring)]
	}
	b.ring, b.head = ring, 0
}
