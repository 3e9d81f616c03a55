package island

import (
	"math/bits"
	"sync/atomic"
)

// link is the ring between one Sender and its Port. The sender's island alone puts in, the
// port's alone takes out. The value is here from the moment it is sent to the moment a
// fiber receives it; bells only hint at it.
//
// What both sides look at is the place that is next, so that one cache line goes from core
// to core for a value. How far each has come is its own; only whoever closes looks at tail.
type link[T any] struct {
	places []slot[T]
	shift  uint8   // log2 of how many there are
	from   *Island // the sender's
	_      [32]byte
	news   bell // the port's island: something was put in, or the sender is done
	_      [24]byte
	room   bell // the sender's island: something was taken out, or the port is closed
	_      [24]byte

	// The sender's.
	tail atomic.Uint64 // how many were put in; closedBit: the port takes no more
	_    [56]byte

	// Seldom written.
	starved atomic.Bool // somebody waits for room: ring
	done    atomic.Bool // the sender has closed; what is in the ring is the last
	cause   error       // why, for those left waiting; written before done
	_       [40]byte

	// The port's.
	head  uint64 // how many were taken out
	at    int    // where it is on the list, plus 1, or dropped
	ready bool   // it is in line to be received from
	after *link[T]
}

// slot is a place for a value. Its phase is even while it is free: twice as many as values
// were taken out of it; then one more, while one is in it.
type slot[T any] struct {
	phase atomic.Uint64
	value T
}

// dropped is where a link is that is done and drained.
const dropped = -1

func newLink[T any](from, to *Island, capacity int) *link[T] {
	shift := bits.Len(uint(capacity - 1))
	l := &link[T]{places: make([]slot[T], 1<<shift), shift: uint8(shift), from: from}
	l.news.of, l.room.of = to, from
	l.news.came = l.came
	return l
}

// place is that of value number n, and the phase in which it is free for it.
func (l *link[T]) place(n uint64) (s *slot[T], free uint64) {
	return &l.places[n&uint64(len(l.places)-1)], n >> l.shift * 2
}

// put is the sender's. False: there is no room, or the port is closed (see closed).
func (l *link[T]) put(v T) bool {
	at := l.tail.Load()
	if at&closedBit != 0 {
		return false
	}
	s, free := l.place(at)
	if s.phase.Load() != free || !l.tail.CompareAndSwap(at, at+1) {
		return false
	}
	s.value = v
	s.phase.Store(free + 1)
	l.news.ring()
	return true
}

// hasRoom is the sender's: whether put would take a value now, if the port is open.
func (l *link[T]) hasRoom() bool {
	s, free := l.place(l.tail.Load() &^ closedBit)
	return s.phase.Load() == free
}

// closed tells the sender that the port takes no more.
func (l *link[T]) closed() bool { return l.tail.Load()&closedBit != 0 }

// take is the port's: the oldest value, if there is one.
func (l *link[T]) take() (v T, ok bool) {
	s, free := l.place(l.head)
	if s.phase.Load() != free+1 {
		return v, false
	}
	v = s.value
	var none T
	s.value = none
	l.head++
	s.phase.Store(free + 2)
	if l.starved.Load() {
		l.room.ring()
	}
	return v, true
}

// empty is the port's: take has nothing now.
func (l *link[T]) empty() bool {
	s, free := l.place(l.head)
	return s.phase.Load() != free+1
}

// drained is the port's: nothing is in the ring, and nothing is just being put in.
func (l *link[T]) drained() bool { return l.head == l.tail.Load()&^closedBit }

// came is the port's: there is something that it has not seen.
func (l *link[T]) came() bool { return !l.ready && (!l.empty() || l.done.Load()) }

// shut is the port's: what was put in stays, and no more comes. A put of this very moment
// either is in the ring or has failed.
func (l *link[T]) shut() {
	l.tail.Or(closedBit)
	l.room.ring()
}

// finish is the sender's: what was put in is the last.
func (l *link[T]) finish(cause error) {
	l.cause = cause
	l.done.Store(true)
	l.news.ring()
}

// line is a queue of links.
type line[T any] struct{ first, last *link[T] }

func (q *line[T]) push(l *link[T]) {
	if q.last == nil {
		q.first = l
	} else {
		q.last.after = l
	}
	q.last = l
}

func (q *line[T]) pop() *link[T] {
	l := q.first
	if l == nil {
		return nil
	}
	q.first, l.after = l.after, nil
	if q.first == nil {
		q.last = nil
	}
	return l
}
