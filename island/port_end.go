package island

import (
	"errors"

	"github.com/selvage-dev/selvage/wait"
)

// Close ends the port: it accepts no more values. What was sent before is still received, and
// the fibers that wait to send are refused. The owner calls it. Errors: wait.ErrClosed if the
// port was closed before.
func (p *Port[T]) Close() error {
	if !p.close(nil) {
		return &wait.Error{Op: "close", Object: p.title(), Err: wait.ErrClosed}
	}
	p.island.dropEnd(p)
	p.deliver()
	return nil
}

// close is false if the port was closed before. downErr is what senders are told, if not that
// the port is closed.
//
// closed and downErr are set under the lock before the links are closed, so a sender that finds its
// link closed reads why. One that dials at the same time either is refused, or has its link closed
// by Dial or by handleLink.
func (p *Port[T]) close(downErr error) bool {
	p.mu.Lock()
	was := p.closed
	p.closed = true
	if p.downErr == nil {
		p.downErr = downErr
	}
	p.mu.Unlock()
	if was {
		return false
	}
	p.ending = true
	p.island.reg.removePort(p.name)
	for _, l := range p.links {
		l.closePort()
	}
	return true
}

// Seal says that no more Senders will be opened: the port ends when all present ones are
// closed. If there are none, waiting receivers read Closed at once. A later Dial gets ErrSealed.
// The owner calls it.
func (p *Port[T]) Seal() {
	p.mu.Lock()
	p.sealed = true
	p.mu.Unlock()
	p.ending = true
	p.deliver()
}

// isClosed may be called by any goroutine. true is final; false may be outdated when it returns.
func (p *Port[T]) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// endIsDeadlock tells whether the port has ended only because the islands of its senders end,
// in the deadlock that this island is part of. Then its receivers stay as the report says.
func (p *Port[T]) endIsDeadlock() bool { return p.island.deadlocked() && !p.isClosed() }

// Err is why a receiver that read Closed gets no more: the *DownError of the island of a
// Sender, why a bridge was cut off, or nil if the program closed the port or every Sender. The
// owner calls it.
func (p *Port[T]) Err() error { return p.cause }

// closedBy is why a sender is refused; bySender: because it was closed itself. Senders of any island
// call it. The error is wait.ErrClosed in every case, so that a program can treat all ends alike.
func (p *Port[T]) closedBy(bySender bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.downErr != nil && !bySender {
		return errors.Join(wait.ErrClosed, p.downErr)
	}
	return wait.ErrClosed
}

// down closes the port because its island leaves. It delivers nothing: the fibers here stay as they
// were, and the values that are left in the rings are lost with the island.
func (p *Port[T]) down() { p.close(p.island.downError()) }
