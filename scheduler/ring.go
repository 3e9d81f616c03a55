package scheduler

import "iter"

// batch is how many fibers ScheduleNext hands out before the loop has to Poll.
const batch = 16

// ring is the ready queue: slot indices, first come first served. A fiber stands in
// it at most once (I1) and its capacity is at least the number of slots, so it never
// overflows and pushing is a store and an increment.
type ring struct {
	slots      []uint32 // length mask+1, a power of two
	mask       uint64
	tail, head uint64 // head is where the batch began
	// taken and stop count within the batch: how many of it ScheduleNext has handed
	// out, and how many it may before the loop polls. head+taken is the front.
	taken, stop uint8
}

const minRing = 64

// newRing starts in the middle of the number space so that pushing in front never
// underflows.
func newRing() ring {
	const middle = 1 << 62
	return ring{slots: make([]uint32, minRing), mask: minRing - 1, head: middle, tail: middle}
}

func (r *ring) front() uint64 { return r.head + uint64(r.taken) }

func (r *ring) len() int { return int(r.tail - r.front()) }

func (r *ring) at(i uint64) uint32 { return r.slots[i&r.mask] }

func (r *ring) push(slot uint32) {
	r.slots[r.tail&r.mask] = slot
	r.tail++
}

// pushFront makes slot the next to run, after a Poll that begins a batch with it.
func (r *ring) pushFront(slot uint32) {
	r.settle()
	r.head--
	r.slots[r.head&r.mask] = slot
}

// pop removes the front, outside of any batch.
func (r *ring) pop() {
	r.settle()
	r.head++
}

// sift goes from the back to the front, over at most `looks`, and takes out those that
// leave says do, at most n. The others keep their order.
func (r *ring) sift(n, looks int, leave func(slot uint32) bool) {
	at, kept := r.tail, r.tail // between them is what has been taken out
	for looks = min(looks, r.len()); looks > 0 && n > 0; looks-- {
		at--
		slot := r.at(at)
		if leave(slot) {
			n--
			continue
		}
		kept--
		r.slots[kept&r.mask] = slot
	}
	if at == kept {
		return
	}
	r.settle() // the batch may have reached to it
	for ; kept != r.tail; kept++ {
		r.slots[at&r.mask] = r.at(kept)
		at++
	}
	r.tail = at
}

// settle ends the batch: nothing more of it is handed out before a Poll.
func (r *ring) settle() {
	r.head, r.taken, r.stop = r.front(), 0, 0
}

// fit makes room for n slots.
func (r *ring) fit(n int) {
	if n <= len(r.slots) {
		return
	}
	bigger := make([]uint32, 2*len(r.slots))
	mask := uint64(len(bigger) - 1)
	for i := r.front(); i != r.tail; i++ {
		bigger[i&mask] = r.at(i)
	}
	r.slots, r.mask = bigger, mask
}

func (r *ring) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := r.front(); i != r.tail; i++ {
			if !yield(r.at(i)) {
				return
			}
		}
	}
}
