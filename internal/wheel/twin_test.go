package wheel

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/selvage-dev/selvage/fiber"
)

// twin is one sorted slice.
type twin []Entry

func (w *twin) add(e Entry) {
	i := len(*w)
	for i > 0 && (*w)[i-1].Deadline > e.Deadline {
		i--
	}
	*w = slices.Insert(*w, i, e)
}

func (w *twin) pop(now fiber.Time) (Entry, bool) {
	if len(*w) == 0 || (*w)[0].Deadline > now {
		return Entry{}, false
	}
	e := (*w)[0]
	*w = (*w)[1:]
	return e, true
}

// check states the invariants listed on Wheel.
func check(w *Wheel) error {
	inRun := w.run.entries[w.run.head:]
	if !slices.IsSortedFunc(inRun, func(a, b Entry) int { return cmp.Compare(a.Deadline, b.Deadline) }) {
		return fmt.Errorf("the run is not sorted")
	}
	if w.cursor > w.runEnd {
		return fmt.Errorf("cursor %d is after the run's end %d", w.cursor, w.runEnd)
	}
	if n := len(inRun); n > 0 && inRun[n-1].Deadline >= w.runEnd && w.runEnd != fiber.Never {
		return fmt.Errorf("the run goes on to %d, beyond its end %d", inRun[n-1].Deadline, w.runEnd)
	}
	total, chunks := len(inRun), 0
	for n := range w.levels {
		l := &w.levels[n]
		if (l.filled != 0) != (w.filled>>n&1 != 0) {
			return fmt.Errorf("level %d: filled %x", n, l.filled)
		}
		for slot := range slots {
			if l.buckets == nil {
				continue
			}
			b := &l.buckets[slot]
			if (b.n != 0) != (l.filled>>slot&1 != 0) {
				return fmt.Errorf("bucket %d/%d of %d entries: filled %x", n, slot, b.n, l.filled)
			}
			nc, err := checkBucket(w, n, slot, b)
			if err != nil {
				return fmt.Errorf("bucket %d/%d: %w", n, slot, err)
			}
			total += b.n
			chunks += nc
		}
	}
	if total != w.len || chunks != w.pool.used || w.stale > w.len {
		return fmt.Errorf("%d entries in %d chunks; counted %d in %d, %d stale", total, chunks, w.len, w.pool.used, w.stale)
	}
	return nil
}

func checkBucket(w *Wheel, n, slot int, b *bucket) (chunks int, err error) {
	count, least, firsts := 0, fiber.Never, 0
	for c := b.head; c != nil; c = c.next {
		chunks++
		for _, e := range c.live() {
			count++
			least = min(least, e.Deadline)
			if e == b.first {
				firsts++
			}
			at := 0
			if x := uint64(e.Deadline ^ w.cursor); x != 0 {
				at = (bits.Len64(x) - 1) / digit
			}
			if at != n || int(e.Deadline>>(digit*n))&63 != slot || e.Deadline < w.runEnd {
				return chunks, fmt.Errorf("%v does not belong, cursor %d, run ends %d", e, w.cursor, w.runEnd)
			}
		}
	}
	if count != b.n || count > 0 && (least != b.first.Deadline || firsts != 1) {
		return chunks, fmt.Errorf("%d entries from %d; says %d from %v, which is there %d times", count, least, b.n, b.first, firsts)
	}
	return chunks, nil
}

// all is the entries of every bucket and the run.
func (w *Wheel) all() map[Entry]bool {
	entries := map[Entry]bool{}
	for _, e := range w.run.entries[w.run.head:] {
		entries[e] = true
	}
	for n := range w.levels {
		if w.levels[n].buckets == nil {
			continue
		}
		for slot := range slots {
			for c := w.levels[n].buckets[slot].head; c != nil; c = c.next {
				for _, e := range c.live() {
					entries[e] = true
				}
			}
		}
	}
	return entries
}
