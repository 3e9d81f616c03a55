package wheel

import "github.com/selvage-dev/selvage/fiber"

// Entry is one timer.
type Entry struct {
	Deadline fiber.Time
	Ticket   fiber.Ticket
	Kind     uint8 // the owner's own: what to do when it comes due
}

// Wheel is the timers of one scheduler. The zero Wheel is empty and ready. It belongs
// to the goroutine that owns the scheduler.
//
// Invariants, checked by the property test after every operation:
//   - the run is sorted by deadline; every entry due before runEnd is in it, and every
//     entry in a bucket is due at runEnd or later;
//   - every entry in a bucket is due at or after cursor, and lies where place puts it
//     for that cursor: the level of the highest digit in which both differ; so the
//     cursor is never after runEnd;
//   - entries with equal deadlines are all in one bucket or all in the run, in
//     registration order: what is added later always lands behind them.
type Wheel struct {
	levels [levels]level
	filled uint16     // bit n: level n is not empty
	cursor fiber.Time // only grows
	run    run        // what comes due next, sorted
	runEnd fiber.Time
	pool   pool
	len    int
	stale  int
	paid   int // entries that Next may look at: withdrawals have paid for them
}

// Add registers a timer. Any deadline is good, also one that has passed. Amortised
// O(1); one far in the past is put in order among the others of its kind.
func (w *Wheel) Add(e Entry) {
	w.len++
	if e.Deadline >= w.runEnd {
		w.place(e)
	} else {
		w.addToRun(e)
	}
}

// PopDue takes the earliest entry if its deadline is not after now. The owner checks
// that its ticket is still current. Amortised O(1).
func (w *Wheel) PopDue(now fiber.Time) (Entry, bool) {
	for w.run.len() == 0 {
		if w.filled == 0 {
			return Entry{}, false
		}
		n, slot, b := w.lowest()
		if b.first.Deadline > now {
			return Entry{}, false
		}
		if n == 0 {
			return w.popInstant(slot, b), true
		}
		w.descend(n, slot, b)
	}
	if w.run.first().Deadline > now {
		return Entry{}, false
	}
	w.popped()
	return w.run.pop(), true
}

// Ahead is up to n of the entries that PopDue takes next, as far as they are in order
// already. It is good until the next operation.
func (w *Wheel) Ahead(n int) []Entry {
	next := w.run.entries[w.run.head:]
	return next[:min(n, len(next))]
}

// popInstant takes the first entry of a lowest-level bucket: all of it is due at once.
func (w *Wheel) popInstant(slot int, b *bucket) Entry {
	w.cursor, w.runEnd = b.first.Deadline, b.first.Deadline
	e := b.pop(&w.pool)
	if b.n == 0 {
		w.emptied(0, slot)
	}
	w.popped()
	return e
}

// popped counts one entry out. Whether it was stale is not known here; an estimate too
// high only makes a compaction come early, and it is paid for by the NoteStale calls.
func (w *Wheel) popped() {
	w.len--
	w.stale = min(w.stale, w.len)
	w.pool.note(1)
}

// Len counts the entries, stale ones included.
func (w *Wheel) Len() int { return w.len }
