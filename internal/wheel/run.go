package wheel

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
