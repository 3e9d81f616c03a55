package island

import "sync/atomic"

// mailbox is a bounded queue of letters with many producers and one consumer, the owner
// of the island. Putting one in costs a compare-and-swap and allocates nothing. It is the
// array queue of D. Vyukov: each place counts the turns it has been through, so that a
// producer knows that it is free and the consumer that it is filled.
type mailbox struct {
	places []place
	tail   atomic.Uint64 // the next turn to put in; closedBit: no more
	_      [56]byte
	head   uint64 // the next turn to take out: the owner's
}

type place struct {
	turn   atomic.Uint64
	letter letter
}

// letter is a command on its way and who waits for the answer.
type letter struct {
	cmd   Command
	reply replier // nil if nobody wants the answer
}

const closedBit = 1 << 63

func newMailbox(limit int) *mailbox {
	size := 1
	for size < limit {
		size *= 2
	}
	m := &mailbox{places: make([]place, size)}
	for i := range m.places {
		m.places[i].turn.Store(uint64(i))
	}
	return m
}

// put is ErrFull, ErrDown, or nil: the owner will see the letter.
func (m *mailbox) put(l letter) error {
	for {
		at := m.tail.Load()
		if at&closedBit != 0 {
			return ErrDown
		}
		p := &m.places[at&uint64(len(m.places)-1)]
		switch turn := p.turn.Load(); {
		case turn < at:
			return ErrFull // the owner has not emptied it yet
		case turn == at && m.tail.CompareAndSwap(at, at+1):
			p.letter = l
			p.turn.Store(at + 1)
			return nil
		}
	}
}

// take is the oldest letter. False: there is none, or its producer is just writing it and
// rings when it has.
func (m *mailbox) take() (l letter, ok bool) {
	p := &m.places[m.head&uint64(len(m.places)-1)]
	if p.turn.Load() != m.head+1 {
		return l, false
	}
	l, p.letter = p.letter, letter{}
	p.turn.Store(m.head + uint64(len(m.places)))
	m.head++
	return l, true
}

// empty tells the owner whether there is none, and nobody is just writing one.
func (m *mailbox) empty() bool { return m.tail.Load()&^closedBit == m.head }

// close lets nothing more in, and tells how many letters are still to be taken: those of
// producers that are just writing among them.
func (m *mailbox) close() (left uint64) {
	for {
		at := m.tail.Load()
		if at&closedBit != 0 || m.tail.CompareAndSwap(at, at|closedBit) {
			return at&^closedBit - m.head
		}
	}
}
