package island

import (
	"errors"
	"slices"

	"github.com/selvage-dev/selvage/wait"
)

// Close ends the port: no more is sent to it. What was sent before is still received.
// Those who wait to send are refused. The owner calls it. Errors: wait.ErrClosed if it was
// called before.
func (p *Port[T]) Close() error {
	if !p.close(nil) {
		return &wait.Error{Op: "close", Object: p.title(), Err: wait.ErrClosed}
	}
	p.isle.dropEnd(p)
	p.serve()
	return nil
}

func (p *Port[T]) close(gone error) bool {
	p.mu.Lock()
	was := p.shut
	p.shut = true
	if p.gone == nil {
		p.gone = gone
	}
	p.mu.Unlock()
	if was {
		return false
	}
	p.ending = true
	p.isle.reg.removePort(p.name)
	for _, l := range p.links {
		l.shut()
	}
	return true
}

func (r *Registry) removePort(name string) {
	r.mu.Lock()
	delete(r.ports, name)
	r.mu.Unlock()
}

// Seal says that no more Senders will be opened: the port ends when all there are have
// been closed. The owner calls it.
func (p *Port[T]) Seal() {
	p.mu.Lock()
	p.sealed = true
	p.mu.Unlock()
	p.ending = true
	p.serve()
}

// Closed tells whether Close was called; there may still be values to receive.
func (p *Port[T]) Closed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shut
}

// outlived tells whether the end of the port is no news to its island: the senders' islands end
// because all of them are in the deadlock that this one is in.
func (p *Port[T]) outlived() bool { return p.isle.deadlocked() && !p.Closed() }

// Err is why a receiver that read Closed will get no more: the *DownError of an island
// whose Sender ended because the island did, why what came over a bridge was cut off, or nil
// if every Sender and the port were closed by those who use them.
func (p *Port[T]) Err() error { return p.cause }

// closedBy is why a sender is refused.
func (p *Port[T]) closedBy(bySender bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone != nil && !bySender {
		return errors.Join(wait.ErrClosed, p.gone)
	}
	return wait.ErrClosed
}

// down: the island leaves with the port open.
func (p *Port[T]) down() { p.close(p.isle.downError()) }

// dropEnd forgets an end that was closed, and does not keep it alive.
func (i *Island) dropEnd(e end) {
	if at := slices.Index(i.ends, e); at >= 0 {
		i.ends = slices.Delete(i.ends, at, at+1)
	}
}
