package wheel

import (
	"math/bits"

	"github.com/selvage-dev/selvage/fiber"
)

// smallest is how many entries a compaction is worth.
const smallest = 64

// NoteStale notes that an entry the owner added has become stale: its wait
// ended before the deadline. When NeedsCompaction then says so, Compact is called.
func (w *Wheel) NoteStale() {
	w.stale = min(w.stale+1, w.len)
	w.paid += smallest
}

// NeedsCompaction reports whether more entries are stale than live.
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
	w.stale, w.paid = 0, 0
	w.pool.note(before - w.len)
	return before - w.len
}

// Next is the earliest deadline among the entries that live says yes to; false if there
// is none. Stale entries in front of it are removed. A crowded bucket is searched only
// as far as earlier NoteStale calls have paid for it, 64 entries each: that keeps the
// cost O(1) for each of them, and means that in front of a larger crowd the deadline of
// a stale entry may be given.
func (w *Wheel) Next(live func(Entry) bool) (fiber.Time, bool) {
	for w.run.len() > 0 {
		if e := w.run.first(); live(*e) {
			return e.Deadline, true
		}
		w.run.pop()
		w.dropped(1)
	}
	for w.filled != 0 {
		n, slot, b := w.lowest()
		if live(b.first) || b.n > w.paid {
			return b.first.Deadline, true
		}
		before := b.n
		w.paid -= before
		if b.keep(live, &w.pool); b.n == 0 {
			w.emptied(n, slot)
		}
		w.dropped(before - b.n)
	}
	return 0, false
}

// dropped counts stale entries out.
func (w *Wheel) dropped(n int) {
	w.len -= n
	w.stale = max(w.stale-n, 0)
	w.pool.note(n)
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

// keep removes what is not live; order stays. It moves the others to the front of the
// chunks they are in. Every entry is written, so that there is no branch on whether it
// is live: that is unpredictable.
func (b *bucket) keep(live func(Entry) bool, p *pool) {
	kept := *b
	kept.n, kept.tail = 0, nil
	to, at := b.head, 0
	for c := b.head; c != nil; c = c.next {
		for _, e := range c.live() {
			if at == len(to.entries) {
				kept.tail, to, at = to.fill(at), to.next, 0
			}
			to.entries[at] = e
			stays := 0
			if live(e) {
				stays = 1
			}
			at += stays
			kept.n += stays
			if kept.n <= 1 || e.Deadline < kept.first.Deadline {
				kept.consider(e, stays)
			}
		}
	}
	if at > 0 {
		kept.tail, to = to.fill(at), to.next
	}
	kept.cut(to, p)
	*b = kept
}

// consider notes an entry that may be the first of those that stay.
func (b *bucket) consider(e Entry, stays int) {
	if stays > 0 {
		b.first = e
	}
}

// fill says that the chunk holds n entries.
func (c *chunk) fill(n int) *chunk {
	c.start, c.end = 0, n
	return c
}

// cut ends the bucket behind its tail; the chunks from rest on were its own.
func (b *bucket) cut(rest *chunk, p *pool) {
	p.release(rest)
	if b.tail == nil {
		*b = bucket{}
		return
	}
	b.tail.next = nil
}
