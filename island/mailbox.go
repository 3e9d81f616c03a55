package island

import "sync/atomic"

// mailbox is a bounded queue of messages with many producers and one consumer, the owner of
// the island. Producers do not block and do not allocate. It is the array queue of D. Vyukov:
// the sequence number of a cell says whether it is free or filled, and for which turn of the
// ring.
type mailbox struct {
	cells []cell
	tail  atomic.Uint64 // the next position to fill, with closedBit
	_     [56]byte      // keeps the producers' line apart from the consumer's
	head  uint64        // the next position to empty; used by the owner only
}

type cell struct {
	seq atomic.Uint64 // the position it is free for; one more when it is filled
	msg message
}

// message is a command with the receiver of its answer.
type message struct {
	cmd   Command
	reply replier // nil if no answer is wanted
}

// closedBit of a tail position says that no more is accepted.
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

// put returns ErrFull, ErrDown, or nil. Any goroutine may call it.
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
// and will raise the signal.
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

// empty is called by the owner. It is false while a producer is writing a message.
func (m *mailbox) empty() bool { return m.tail.Load()&^closedBit == m.head }

// close refuses further messages and returns how many have to be taken, including those that
// producers are still writing.
func (m *mailbox) close() (left uint64) {
	for {
		at := m.tail.Load()
		if at&closedBit != 0 || m.tail.CompareAndSwap(at, at|closedBit) {
			return at&^closedBit - m.head
		}
	}
}
