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
// closed. The owner calls it.
func (p *Port[T]) Seal() {
	p.mu.Lock()
	p.sealed = true
	p.mu.Unlock()
	p.ending = true
	p.deliver()
}

// isClosed may be called by any goroutine.
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

// closedBy is why a sender is refused.
func (p *Port[T]) closedBy(bySender bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.downErr != nil && !bySender {
		return errors.Join(wait.ErrClosed, p.downErr)
	}
	return wait.ErrClosed
}

// down closes the port because its island leaves.
func (p *Port[T]) down() { p.close(p.island.downError()) }
