package wheel

import "slices"

// fullRun is how many entries the run takes before it spills.
const fullRun = 4 * few

// run is a sorted queue of entries. Those before head are gone.
type run struct {
	entries []Entry
	head    int
}

func (r *run) len() int      { return len(r.entries) - r.head }
func (r *run) first() *Entry { return &r.entries[r.head] }
func (r *run) last() *Entry  { return &r.entries[len(r.entries)-1] }

func (r *run) pop() Entry {
	e := r.entries[r.head]
	r.head++
	if r.head == len(r.entries) {
		r.drop(0)
	}
	return e
}

// insert puts an entry behind all that are due before it or at the same instant.
func (r *run) insert(e Entry) {
	if r.head > 0 && len(r.entries) == cap(r.entries) {
		n := copy(r.entries, r.entries[r.head:])
		r.entries, r.head = r.entries[:n], 0
	}
	i := len(r.entries)
	r.entries = append(r.entries, e)
	for ; i > r.head && r.entries[i-1].Deadline > e.Deadline; i-- {
		r.entries[i] = r.entries[i-1]
	}
	r.entries[i] = e
}

// take copies the entries of a bucket of level n into the run, which is empty, and sorts
// them. False: they are too many, or too many of them lie close together, to be sorted
// here.
func (r *run) take(b *bucket, n int) bool {
	if b.n <= few {
		for c := b.head; c != nil; c = c.next {
			for _, e := range c.live() {
				r.insert(e)
			}
		}
		return true
	}
	return b.n <= some && r.takeByDigit(b, (n-1)*digit)
}

// takeByDigit counts how many entries have which digit, copies each to its place among
// the others of its digit, and puts those in order.
func (r *run) takeByDigit(b *bucket, shift int) bool {
	var place [slots]int
	for c := b.head; c != nil; c = c.next {
		for i := range c.live() {
			place[c.entries[c.start+i].Deadline>>shift&(slots-1)]++
		}
	}
	next := 0
	for d, count := range place {
		if count > few {
			return false
		}
		place[d] = next
		next += count
	}
	r.entries = slices.Grow(r.entries, b.n)[:b.n]
	for c := b.head; c != nil; c = c.next {
		for _, e := range c.live() {
			d := e.Deadline >> shift & (slots - 1)
			r.entries[place[d]] = e
			place[d]++
		}
	}
	r.order()
	return true
}

// order sorts entries that are nearly in order; equal ones stay as they are.
func (r *run) order() {
	for i := 1; i < len(r.entries); i++ {
		e := r.entries[i]
		at := i
		for ; at > 0 && r.entries[at-1].Deadline > e.Deadline; at-- {
			r.entries[at] = r.entries[at-1]
		}
		r.entries[at] = e
	}
}

// laterHalf is the second half of the entries, for drop, and those before it that are
// due at the same instant as its first.
func (r *run) laterHalf() []Entry {
	i := r.head + r.len()/2
	for i > r.head && r.entries[i-1].Deadline == r.entries[i].Deadline {
		i--
	}
	return r.entries[i:]
}

// drop removes the last n entries.
func (r *run) drop(n int) {
	r.entries = r.entries[:len(r.entries)-n]
	if r.len() == 0 {
		r.entries, r.head = r.entries[:0], 0
	}
}
