package island

import "sync/atomic"

// mailbox is a bounded queue of messages with many producers and one consumer, the owner of
// the island. Producers do not block and do not allocate. It is the array queue of D. Vyukov:
// the sequence number of a cell says whether it is free or filled, and for which turn of the
// ring.
//
// A position is given to one producer by a compare-and-swap of tail, which fixes the order of the
// messages. The producer then writes msg and stores seq; the owner loads seq and then reads msg. So
// the write happens before the read, and in the same way the owner's clearing of msg happens before
// the next producer's write.
//
// The queue is not lock-free: a producer that is preempted between the two steps delays the messages
// behind its own. The other producers continue until the ring is full.
type mailbox struct {
	cells []cell        // a power of two of them
	tail  atomic.Uint64 // the next position to fill, with closedBit
	_     [56]byte      // keeps the producers' line apart from the consumer's
	head  uint64        // the next position to empty; used by the owner only
}

// cell holds the message of every position that is equal to its index modulo the size.
type cell struct {
	// seq is the position that the cell is free for, and one more while it is filled. Emptying it
	// adds the size of the ring less one.
	seq atomic.Uint64
	msg message
}

// message is a command with the receiver of its answer. From put to take it belongs to the mailbox,
// the body of the command included: the sender must not change that afterward.
type message struct {
	cmd   Command
	reply replier // nil if no answer is wanted
}

// closedBit of a tail position says that no more is accepted. It is in the same word as the
// position, so that one compare-and-swap decides between a message and the end: there is none that
// was accepted and is not among those that close counts. Links use it in the same way.
const closedBit = 1 << 63

func newMailbox(limit int) *mailbox {
	size := 1
	for size < limit {
		size *= 2
	}
	m := &mailbox{cells: make([]cell, size)}
	for i := range m.cells {
		m.cells[i].seq.Store(uint64(i))
	}
	return m
}

// put returns ErrFull, ErrDown, or nil. Any goroutine may call it. It repeats only when another
// producer has taken the position or the mailbox was closed, so some caller always makes progress.
func (m *mailbox) put(msg message) error {
	for {
		at := m.tail.Load()
		if at&closedBit != 0 {
			return ErrDown
		}
		c := &m.cells[at&uint64(len(m.cells)-1)]
		switch seq := c.seq.Load(); {
		case seq < at:
			return ErrFull // not emptied since the last turn of the ring
		case seq == at && m.tail.CompareAndSwap(at, at+1):
			c.msg = msg
			c.seq.Store(at + 1)
			return nil
		}
	}
}

// take returns the oldest message. False: there is none, or its producer is still writing it
// and will raise the signal. The cell is cleared before it is free again, so it keeps no command
// and no replier alive.
func (m *mailbox) take() (msg message, ok bool) {
	c := &m.cells[m.head&uint64(len(m.cells)-1)]
	if c.seq.Load() != m.head+1 {
		return msg, false
	}
	msg, c.msg = c.msg, message{}
	c.seq.Store(m.head + uint64(len(m.cells)))
	m.head++
	return msg, true
}

// empty is called by the owner. It is false while a producer is writing a message, though take
// would return nothing: a deadlock probe must know of a command as soon as it is accepted.
func (m *mailbox) empty() bool { return m.tail.Load()&^closedBit == m.head }

// close refuses further messages and returns how many have to be taken, including those that
// producers are still writing. Only a producer's compare-and-swap can make it repeat. The owner
// calls it, once or more.
func (m *mailbox) close() (left uint64) {
	for {
		at := m.tail.Load()
		if at&closedBit != 0 || m.tail.CompareAndSwap(at, at|closedBit) {
			return at&^closedBit - m.head
		}
	}
}
