package wheel

import (
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// Soonest appends to dst up to n of the entries that live says yes to, in the order in which they come
// due, and changes nothing. It looks at the buckets that have them, each as a whole: a crowd of
// entries with deadlines close together costs time in proportion to it.
func (w *Wheel) Soonest(n int, live func(Entry) bool, dst []Entry) []Entry {
	s := soonest{all: dst, from: len(dst), n: n, live: live}
	for _, e := range w.run.entries[w.run.head:] {
		s.add(e)
	}
	for left := w.filled; left != 0 && !s.full(); left &= left - 1 {
		level := bits.TrailingZeros16(left)
		for slots := w.levels[level].filled; slots != 0 && !s.full(); slots &= slots - 1 {
			s.addBucket(&w.levels[level].buckets[bits.TrailingZeros64(slots)])
		}
	}
	return s.all
}

// soonest keeps the first n entries of those that are added.
type soonest struct {
	all  []Entry // sorted from the index from on
	from int
	n    int
	live func(Entry) bool
}

func (s *soonest) full() bool { return len(s.all)-s.from >= s.n }

func (s *soonest) addBucket(b *bucket) {
	for c := b.head; c != nil; c = c.next {
		for _, e := range c.live() {
			s.add(e)
		}
	}
}

// add puts the entry behind those of the same deadline, which were registered before it. Whether it is
// live is asked last, because the answer is far away in memory.
func (s *soonest) add(e Entry) {
	if s.full() && (s.n == 0 || e.Deadline >= s.all[len(s.all)-1].Deadline) || !s.live(e) {
		return
	}
	if s.full() {
		s.all = s.all[:len(s.all)-1]
	}
	at, _ := slices.BinarySearchFunc(s.all[s.from:], e.Deadline, func(other Entry, d fiber.Time) int {
		if other.Deadline > d {
			return 1
		}
		return -1
	})
	s.all = slices.Insert(s.all, s.from+at, e)
}
