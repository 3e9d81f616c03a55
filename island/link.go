package island

import (
	"math/bits"
	"sync/atomic"
)

// link is the ring between one Sender and its Port: the sender's island puts values in, and
// the port's island takes them out. A value is here from the send until a fiber receives it.
// Each side is one goroutine, the owner of its island.
//
// Both sides look at the next slot only, so one cache line moves between the processors for a
// value (decision 0046). Each side counts its own position; only a side that closes looks at tail.
// The padding keeps fields that different islands write on different cache lines.
//
// Two pairs of accesses prevent a lost wake-up (I9). In each, both sides store first and load
// afterward, so at least one of them sees the other's store:
//
//	sender: phase = filled, then load news.polled    port: news.polled = false, then load phase
//	sender: wantsRoom = true, then load phase        port: phase = free, then load wantsRoom
type link[T any] struct {
	slots []slot[T]
	shift uint8   // log2 of len(slots)
	from  *Island // the sender's
	_     [32]byte
	news  signal // of the port's island: a value was put in, or the sender is done
	_     [24]byte
	room  signal // of the sender's island: a value was taken out, or the port is closed
	_     [24]byte

	// tail counts the values put in; the sender adds to it. The port only sets closedBit: it
	// accepts no more.
	tail atomic.Uint64
	_    [56]byte

	// Seldom written.

	// wantsRoom: a sending fiber waits, so the port has to raise room. The sender sets and clears
	// it. Between two waits the port's load of it costs no transfer of the line.
	wantsRoom atomic.Bool
	// done: the sender has closed, and there will be no more values. Its last value is in the
	// ring before.
	done  atomic.Bool
	cause error // why, for receivers; written before done is stored, read after it was loaded
	_     [40]byte

	// Used by the port only.
	head  uint64   // values taken out
	index int      // in the port's list, plus 1; 0: not known yet; linkRemoved
	ready bool     // it is in the queue of links that have a value
	next  *link[T] // in that queue
}

// slot is a place for a value. Its phase is twice the number of values taken out of it, plus
// one while it holds a value. The sender writes the value while the phase is even, and the port
// reads and clears it while it is odd; the atomic store of the phase hands the slot over, and
// makes the value visible with it.
type slot[T any] struct {
	phase atomic.Uint64
	value T
}

// linkRemoved is the index of a link that was done and drained.
const linkRemoved = -1

// newLink makes a ring of at least that capacity, rounded up to a power of two. The whole ring is
// allocated here, so that neither put nor take ever allocates.
func newLink[T any](from, to *Island, capacity int) *link[T] {
	shift := bits.Len(uint(capacity - 1))
	l := &link[T]{slots: make([]slot[T], 1<<shift), shift: uint8(shift), from: from}
	l.news.owner, l.room.owner = to, from
	l.news.pending = l.hasNews
	return l
}

// slotFor is the slot of value number n, and the phase in which it is free for that value.
func (l *link[T]) slotFor(n uint64) (s *slot[T], free uint64) {
	return &l.slots[n&uint64(len(l.slots)-1)], n >> l.shift * 2
}

// put is the sender's. False: there is no room, or the port is closed (see closed).
func (l *link[T]) put(v T) bool {
	s := l.reserve()
	if s != nil {
		l.fill(s, v)
	}
	return s != nil
}

// reserve is the sender's: it counts a value and returns its slot, to be filled or canceled; nil
// as for put. Between the two the port waits for the value (drained).
func (l *link[T]) reserve() *slot[T] {
	at := l.tail.Load()
	if at&closedBit != 0 {
		return nil
	}
	s, free := l.slotFor(at)
	// The compare-and-swap fails only if the port has set closedBit since the Load. So a value is
	// either counted before the port closes, and will be received, or it is refused.
	if s.phase.Load() != free || !l.tail.CompareAndSwap(at, at+1) {
		return nil
	}
	return s
}

// fill puts the value into the slot that reserve returned. Only the sender changes an even phase.
func (l *link[T]) fill(s *slot[T], v T) {
	s.value = v
	s.phase.Store(s.phase.Load() + 1)
	l.news.raise()
}

// cancel takes back a reserve. The port may have waited for the value before its end.
func (l *link[T]) cancel() {
	l.tail.Add(^uint64(0)) // keeps closedBit
	l.news.raise()
}

// hasRoom is the sender's: whether put would accept a value now if the port is open.
func (l *link[T]) hasRoom() bool {
	s, free := l.slotFor(l.tail.Load() &^ closedBit)
	return s.phase.Load() == free
}

// closed tells the sender that the port accepts no more values.
func (l *link[T]) closed() bool { return l.tail.Load()&closedBit != 0 }

// take is the port's: it returns the oldest value.
func (l *link[T]) take() (v T, ok bool) {
	s, free := l.slotFor(l.head)
	if s.phase.Load() != free+1 {
		return v, false
	}
	v = s.value
	var none T
	s.value = none // not kept alive until the next turn of the ring
	l.head++
	s.phase.Store(free + 2) // free for the next turn; before wantsRoom is read
	if l.wantsRoom.Load() {
		l.room.raise()
	}
	return v, true
}

// empty is the port's: whether take would return nothing now.
func (l *link[T]) empty() bool {
	s, free := l.slotFor(l.head)
	return s.phase.Load() != free+1
}

// drained is the port's: the ring is empty, and no put is under way. Unlike empty it counts a value
// whose sender has increased tail and not stored the phase yet. It reads the sender's line, so it
// is asked only when the port may end.
func (l *link[T]) drained() bool { return l.head == l.tail.Load()&^closedBit }

// hasNews is the port's: whether there is something that it has not looked at. A link in the queue
// has none: next looks at it again after each value.
func (l *link[T]) hasNews() bool { return !l.ready && (!l.empty() || l.done.Load()) }

// closePort is the port's: the values in the ring stay, and no more are accepted. A put at
// the same time either is in the ring or has failed. Dial calls it too, for a link that the port
// may never learn of; it may be repeated.
func (l *link[T]) closePort() {
	l.tail.Or(closedBit)
	l.room.raise()
}

// closeSender is the sender's: the values in the ring are the last ones. The Store of done comes
// after the last phase and after cause, so a port that has loaded done sees all values and the
// cause.
func (l *link[T]) closeSender(cause error) {
	l.cause = cause
	l.done.Store(true)
	l.news.raise()
}

// linkQueue is a FIFO queue of links, through their next fields. A link is in it at most once
// (link.ready), so it needs no memory of its own.
type linkQueue[T any] struct{ first, last *link[T] }

func (q *linkQueue[T]) push(l *link[T]) {
	if q.last == nil {
		q.first = l
	} else {
		q.last.next = l
	}
	q.last = l
}

func (q *linkQueue[T]) pop() *link[T] {
	l := q.first
	if l == nil {
		return nil
	}
	q.first, l.next = l.next, nil
	if q.first == nil {
		q.last = nil
	}
	return l
}
