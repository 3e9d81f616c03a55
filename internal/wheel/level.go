package wheel

import (
	"math/bits"

	"github.com/selvage-dev/selvage/fiber"
)

const (
	digit  = 6 // bits of a deadline that one level distinguishes
	slots  = 1 << digit
	levels = 11 // times six bits: every instant up to fiber.Never

	// few entries are sorted into the run one by one, and some by their next digit; more
	// are spread over the levels below first.
	few  = 32
	some = 512
)

// level is the buckets of one digit, made when the first entry comes.
type level struct {
	buckets *[slots]bucket
	filled  uint64 // bit n: bucket n is not empty
}

// place puts an entry due at or after the cursor into its bucket.
func (w *Wheel) place(e Entry) {
	n := 0
	if x := uint64(e.Deadline ^ w.cursor); x != 0 {
		n = (bits.Len64(x) - 1) / digit
	}
	slot := int(e.Deadline>>(n*digit)) & (slots - 1)
	l := &w.levels[n]
	if l.buckets == nil {
		l.buckets = new([slots]bucket)
	}
	l.buckets[slot].add(e, &w.pool)
	l.filled |= 1 << slot
	w.filled |= 1 << n
}

// lowest is the bucket with the earliest entry: within a level a higher digit is
// later, and a higher level is later altogether.
func (w *Wheel) lowest() (n, slot int, b *bucket) {
	n = bits.TrailingZeros16(w.filled)
	slot = bits.TrailingZeros64(w.levels[n].filled)
	return n, slot, &w.levels[n].buckets[slot]
}

// emptied notes that a bucket has become empty.
func (w *Wheel) emptied(n, slot int) {
	l := &w.levels[n]
	if l.filled &^= 1 << slot; l.filled == 0 {
		w.filled &^= 1 << n
	}
}

// descend brings the earliest bucket, one above the lowest level, nearer: the cursor
// moves to its first instant; the entries go into the run, which is empty, or, if they
// are many, to the levels below.
func (w *Wheel) descend(n, slot int, b *bucket) {
	taken := *b
	*b = bucket{}
	w.emptied(n, slot)
	w.cursor = taken.first.Deadline
	if !w.run.take(&taken, n) {
		for c := taken.head; c != nil; c = w.pool.put(c) {
			for _, e := range c.live() {
				w.place(e)
			}
		}
		w.runEnd = w.cursor
		return
	}
	w.pool.release(taken.head)
	last := w.cursor | (1<<(n*digit) - 1) // instant of the bucket
	w.runEnd = min(last, fiber.Never-1) + 1
}

// addToRun inserts an entry among those that come due next. A full run first gives its
// later half back to the buckets, and its end comes nearer.
func (w *Wheel) addToRun(e Entry) {
	if w.run.len() >= fullRun {
		last := w.run.last().Deadline
		if e.Deadline > last && e.Deadline >= w.cursor {
			w.runEnd = e.Deadline
		} else if e.Deadline < last {
			w.spill()
		}
		if e.Deadline >= w.runEnd {
			w.place(e)
			return
		}
	}
	w.run.insert(e)
}

// spill moves the later half of the run into buckets, except what is due before the
// cursor: buckets cannot hold the past. It never parts equal deadlines.
func (w *Wheel) spill() {
	later := w.run.laterHalf()
	for len(later) > 0 && later[0].Deadline < w.cursor {
		later = later[1:]
	}
	if len(later) == 0 {
		return
	}
	w.runEnd = later[0].Deadline
	for _, e := range later {
		w.place(e)
	}
	w.run.drop(len(later))
}
