package island

import (
	"math/bits"
	"sync/atomic"
)

// link is the ring between one Sender and its Port: the sender's island puts values in, and
// the port's island takes them out. A value is here from the send until a fiber receives it.
//
// Both sides look at the next slot only, so one cache line moves between the processors for a
// value. Each side counts its own position; only a side that closes looks at tail. The padding
// keeps fields that different islands write on different cache lines.
type link[T any] struct {
	slots []slot[T]
	shift uint8   // log2 of len(slots)
	from  *Island // the sender's
	_     [32]byte
	news  signal // of the port's island: a value was put in, or the sender is done
	_     [24]byte
	room  signal // of the sender's island: a value was taken out, or the port is closed
	_     [24]byte

	// Written by the sender.
	tail atomic.Uint64 // values put in; closedBit: the port accepts no more
	_    [56]byte

	// Seldom written.
	wantsRoom atomic.Bool // a sending fiber waits: raise room
	done      atomic.Bool // the sender has closed: there will be no more values
	cause     error       // why, for receivers; written before done
	_         [40]byte

	// Used by the port only.
	head  uint64   // values taken out
	index int      // in the port's list, plus 1; 0: not known yet; linkRemoved
	ready bool     // it is in the queue of links that have a value
	next  *link[T] // in that queue
}

// slot is a place for a value. Its phase is twice the number of values taken out of it, plus
// one while it holds a value.
type slot[T any] struct {
	phase atomic.Uint64
	value T
}

// linkRemoved is the index of a link that was done and drained.
const linkRemoved = -1

// newLink makes a ring of at least that capacity, rounded up to a power of two.
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
	at := l.tail.Load()
	if at&closedBit != 0 {
		return false
	}
	s, free := l.slotFor(at)
	if s.phase.Load() != free || !l.tail.CompareAndSwap(at, at+1) {
		return false
	}
	s.value = v
	s.phase.Store(free + 1)
	l.news.raise()
	return true
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
	s.value = none
	l.head++
	s.phase.Store(free + 2)
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

// drained is the port's: the ring is empty, and no put is under way.
func (l *link[T]) drained() bool { return l.head == l.tail.Load()&^closedBit }

// hasNews is the port's: whether there is something that it has not looked at.
func (l *link[T]) hasNews() bool { return !l.ready && (!l.empty() || l.done.Load()) }

// closePort is the port's: the values in the ring stay, and no more are accepted. A put at
// the same time either is in the ring or has failed.
func (l *link[T]) closePort() {
	l.tail.Or(closedBit)
	l.room.raise()
}

// closeSender is the sender's: the values in the ring are the last ones.
func (l *link[T]) closeSender(cause error) {
	l.cause = cause
	l.done.Store(true)
	l.news.raise()
}

// linkQueue is a FIFO queue of links.
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
