package scheduler

import "iter"

// ring is the ready queue but for the batch in front of it: slot indices, first come first
// served. A fiber stands in it at most once (I1) and its capacity is at least the number of
// slots, so it never overflows and pushing is a store and an increment.
//
// It has four bytes for each place and no pointers for the garbage collector to follow. It
// only grows: a scheduler that once had a million fibers keeps four megabytes.
type ring struct {
	slots []uint32 // length mask+1, a power of two
	mask  uint64
	// The positions behind the last and of the first. Both wrap around, head below 0 too:
	// what counts is how far they are apart, at most the capacity, and their low bits.
	tail, head uint64
}

// minRing is a power of two, as every later length.
const minRing = 64

func newRing() ring { return ring{slots: make([]uint32, minRing), mask: minRing - 1} }

func (r *ring) len() int { return int(r.tail - r.head) }

// at is the slot at a position; those from head up to tail are fibers, the others are left
// over.
func (r *ring) at(i uint64) uint32 { return r.slots[i&r.mask] }

// push appends. There is room: fit comes before any fiber can enter.
func (r *ring) push(slot uint32) {
	r.slots[r.tail&r.mask] = slot
	r.tail++
}

// pushFront puts a slot before all others: what a batch has not used, and fibers that are to
// run next.
func (r *ring) pushFront(slot uint32) {
	r.head--
	r.slots[r.head&r.mask] = slot
}

// take takes out the slot that is i behind the head. The others keep their order. O(i).
func (r *ring) take(i uint64) uint32 {
	slot := r.at(r.head + i)
	for ; i > 0; i-- {
		r.slots[(r.head+i)&r.mask] = r.at(r.head + i - 1)
	}
	r.head++
	return slot
}

// sift goes from the back to the front, over at most `looks`, and takes out those that leave
// says do, at most n. The others keep their order. leave may end the fiber in the slot, and
// must not change the ring. O(looks), whatever the length: entries in front of those are not
// touched.
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
	// Those that stay are now the last ones, in order: close the gap before them.
	for ; kept != r.tail; kept++ {
		r.slots[at&r.mask] = r.at(kept)
		at++
	}
	r.tail = at
}

// fit makes room for n slots. A scheduler calls it for each new slot, so n is at most one
// more than the capacity, and doubling once is enough. The positions stay, only their low
// bits change. Amortized O(1).
func (r *ring) fit(n int) {
	if n <= len(r.slots) {
		return
	}
	bigger := make([]uint32, 2*len(r.slots))
	mask := uint64(len(bigger) - 1)
	for i := r.head; i != r.tail; i++ {
		bigger[i&mask] = r.at(i)
	}
	r.slots, r.mask = bigger, mask
}

// all yields the slots, the first one first; the ring must not change meanwhile.
func (r *ring) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := r.head; i != r.tail; i++ {
			if !yield(r.at(i)) {
				return
			}
		}
	}
}
