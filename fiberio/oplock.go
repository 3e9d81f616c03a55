package fiberio

import (
	"errors"
	"sync"
	"time"
)

// errAborted is the error of an operation that was aborted before its call; no fiber sees it.
var errAborted = errors.New("fiberio: the operation was aborted")

// past is a deadline that makes a blocked call on a descriptor return.
func past() time.Time { return time.Unix(1, 0) }

// opLock lets the operations on one direction of a connection, or on a listener, run one at a
// time, each on a goroutine of a pool, and makes sure that an abort ends its own operation and no
// other.
//
// Fibers take turns by a lock of their own. But a fiber that gives up releases that lock while
// its operation is still in a system call. The aborted call must return before the next
// operation clears the deadline: otherwise it would go on waiting, and take the bytes or the
// connection of the next operation.
type opLock struct {
	setDeadline func(time.Time) error

	turn   sync.Mutex // held during a call; waited for only while an abort takes effect
	mu     sync.Mutex
	now    *operation // in its call, or about to begin it
	closed bool
}

// operation is one system call under an opLock.
type operation struct {
	lock    *opLock
	aborted bool
}

// run makes the call, which must return when the deadline passes.
func (p *operation) run(call func() error) error {
	l := p.lock
	l.turn.Lock()
	defer l.turn.Unlock()
	if err := p.begin(); err != nil {
		return err
	}
	defer p.end()
	return call()
}

// begin makes the operation the current one, or refuses it. It clears the deadline that an abort
// of an earlier operation has set; that operation has returned, because turn is held.
func (p *operation) begin() error {
	l := p.lock
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case p.aborted:
		return errAborted
	case l.closed:
		return ErrAnswered
	}
	l.now = p
	_ = l.setDeadline(time.Time{}) // if this fails, so does the call
	return nil
}

// close refuses further operations and returns when none is running; end makes a running call
// return. It reports whether none was running.
func (l *opLock) close(end func()) bool {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	free := l.turn.TryLock()
	if !free {
		end()
		l.turn.Lock()
	}
	l.turn.Unlock()
	return free
}

// end must come before turn is released: an abort after it has no effect on the next operation.
func (p *operation) end() {
	p.lock.mu.Lock()
	defer p.lock.mu.Unlock()
	p.lock.now = nil
}

// abort makes the operation's call return, or keeps it from beginning. It does not block.
func (p *operation) abort() {
	l := p.lock
	l.mu.Lock()
	defer l.mu.Unlock()
	p.aborted = true
	if l.now == p {
		_ = l.setDeadline(past())
	}
}
