package island

import "sync/atomic"

// link is the ring between one Sender and its Port. The sender's island alone puts in, the
// port's alone takes out, and each reads how far the other has come. The value is here from
// the moment it is sent to the moment a fiber receives it; bells only hint at it.
type link[T any] struct {
	ring []T
	news bell // the port's island: something was put in, or the sender is done
	room bell // the sender's island: something was taken out, or the port is closed

	_       [40]byte
	tail    atomic.Uint64 // how many were put in; closedBit: the port takes no more
	headWas uint64        // the sender's: head when it last looked
	_       [48]byte
	head    atomic.Uint64 // how many were taken out
	starved atomic.Bool   // somebody waits for room: ring
	_       [55]byte

	done  atomic.Bool // the sender has closed; what is in the ring is the last
	cause error       // why, for those left waiting; written before done
	from  *Island     // the sender's

	// The port's.
	at    int  // where it is on the list, plus 1, or dropped
	ready bool // it is in line to be received from
	after *link[T]
}

// dropped is where a link is that is done and drained.
const dropped = -1

func newLink[T any](from, to *Island, capacity int) *link[T] {
	size := 1
	for size < capacity {
		size *= 2
	}
	l := &link[T]{ring: make([]T, size), from: from}
	l.news.of, l.room.of = to, from
	return l
}

// put is the sender's. False: there is no room, or the port is closed (see closed).
func (l *link[T]) put(v T) bool {
	at := l.tail.Load()
	if at-l.headWas >= uint64(len(l.ring)) {
		if l.headWas = l.head.Load(); at-l.headWas >= uint64(len(l.ring)) {
			return false // closedBit makes the difference huge too
		}
	}
	slot := &l.ring[at&uint64(len(l.ring)-1)]
	*slot = v
	if !l.tail.CompareAndSwap(at, at+1) {
		var none T
		*slot = none // closed in this very moment: it was not sent
		return false
	}
	l.news.ring()
	return true
}

// hasRoom is the sender's: whether put would take a value now.
func (l *link[T]) hasRoom() bool {
	at := l.tail.Load()
	if at-l.headWas >= uint64(len(l.ring)) {
		l.headWas = l.head.Load()
	}
	return at-l.headWas < uint64(len(l.ring))
}

// closed tells the sender that the port takes no more.
func (l *link[T]) closed() bool { return l.tail.Load()&closedBit != 0 }

// take is the port's: the oldest value, if there is one.
func (l *link[T]) take() (v T, ok bool) {
	at := l.head.Load()
	if at == l.tail.Load()&^closedBit {
		return v, false
	}
	slot := &l.ring[at&uint64(len(l.ring)-1)]
	v = *slot
	var none T
	*slot = none
	l.head.Store(at + 1)
	if l.starved.Load() {
		l.room.ring()
	}
	return v, true
}

// empty is the port's.
func (l *link[T]) empty() bool { return l.head.Load() == l.tail.Load()&^closedBit }

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
