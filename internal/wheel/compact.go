package wheel

import "math/bits"

// smallest is how many entries a compaction is worth.
const smallest = 64

// NoteStale tells the wheel that an entry the owner added has become stale: its wait
// ended before the deadline. When NeedsCompaction then says so, Compact is called.
func (w *Wheel) NoteStale() { w.stale = min(w.stale+1, w.len) }

// NeedsCompaction tells whether more entries are stale than live.
func (w *Wheel) NeedsCompaction() bool { return w.len >= smallest && w.stale > w.len-w.stale }

// Compact removes every entry that live says no to and returns how many those were.
// It visits all entries; called when NeedsCompaction says so it costs O(1) for each
// NoteStale.
func (w *Wheel) Compact(live func(Entry) bool) int {
	before := w.len
	w.len = w.run.keep(live)
	for n := range w.levels {
		l := &w.levels[n]
		for left := l.filled; left != 0; left &= left - 1 {
			slot := bits.TrailingZeros64(left)
			b := &l.buckets[slot]
			if b.keep(live, &w.pool); b.n == 0 {
				w.emptied(n, slot)
			}
			w.len += b.n
		}
	}
	w.stale = 0
	w.pool.note(before - w.len)
	return before - w.len
}

// keep removes what is not live and returns how many stay.
func (r *run) keep(live func(Entry) bool) int {
	kept := r.entries[:0]
	for _, e := range r.entries[r.head:] {
		if live(e) {
			kept = append(kept, e)
		}
	}
	r.entries, r.head = kept, 0
	return len(kept)
}

// keep removes what is not live; order stays.
func (b *bucket) keep(live func(Entry) bool, p *pool) {
	old := b.head
	*b = bucket{}
	for c := old; c != nil; c = p.put(c) {
		for _, e := range c.live() {
			if live(e) {
				b.add(e, p)
			}
		}
	}
}
