package fiberio

import (
	"errors"
	"sync"
	"time"
)

// errAborted is what an operation ends with that was aborted; nobody waits for it.
var errAborted = errors.New("fiberio: the operation was aborted")

// past is a deadline that ends whatever waits for the descriptor.
func past() time.Time { return time.Unix(1, 0) }

// lane is one direction of a connection, or the door of a listener. Operations pass it one
// at a time, and an abort ends the one it is meant for and no other: fibers take turns by
// themselves, but one that has given up leaves its operation behind, which must be out
// before the deadline is set anew, or it would go on waiting, and take what is the next
// one's.
type lane struct {
	setDeadline func(time.Time) error

	turn sync.Mutex // held by the operation that is inside; waited for only while an abort takes effect
	mu   sync.Mutex
	now  *passage // the one that waits, or is about to
	over bool     // nobody passes any more
}

// passage is one operation's way through a lane.
type passage struct {
	lane    *lane
	aborted bool
}

// through does a system call that ends when the deadline passes.
func (p *passage) through(call func() error) error {
	l := p.lane
	l.turn.Lock()
	defer l.turn.Unlock()
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	return call()
}

func (p *passage) enter() error {
	l := p.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case p.aborted:
		return errAborted
	case l.over:
		return ErrAnswered
	}
	l.now = p
	_ = l.setDeadline(time.Time{}) // of a closed one: the call says so
	return nil
}

// shut lets nobody pass any more, and returns when nobody is inside; end makes a call that
// is return. It tells whether nobody was.
func (l *lane) shut(end func()) bool {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	free := l.turn.TryLock()
	if !free {
		end()
		l.turn.Lock()
	}
	l.turn.Unlock()
	return free
}

func (p *passage) leave() {
	p.lane.mu.Lock()
	defer p.lane.mu.Unlock()
	p.lane.now = nil
}

// abort makes the call return, now or as soon as it is made. It does not block.
func (p *passage) abort() {
	l := p.lane
	l.mu.Lock()
	defer l.mu.Unlock()
	p.aborted = true
	if l.now == p {
		_ = l.setDeadline(past())
	}
}
