package fiberio

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Listener accepts connections. Any number of fibers may call Accept; they are served in order
// of arrival.
type Listener struct {
	world     *World
	listener  net.Listener
	name      string // its address, for reports
	accepting *wait.Mutex
	accepts   opLock
	done      chan struct{} // closed by Close

	mu      sync.Mutex
	untaken []net.Conn // accepted for fibers that had given up
	closed  bool
}

// Listen opens a port. The network is tcp, tcp4, tcp6 or unix, as for net.Listen; port 0 is any
// free port. A host name is looked up first.
func (w *World) Listen(f *stackful.Fiber, network, address string, deadline fiber.Time) (*Listener, error) {
	p := &handover[net.Listener]{discard: func(l net.Listener) { _ = l.Close() }}
	defer p.decline()
	_, err := w.wait(f, doing{"listen on", address}, deadline, func(ctx context.Context) (any, error) {
		l, err := w.listen(ctx, network, address)
		if err == nil {
			p.deliver(l)
		}
		return nil, err
	}, nil)
	if err != nil {
		return nil, err
	}
	return w.newListener(p.take())
}

// newListener refuses listeners without deadlines: an abandoned Accept could not be ended.
func (w *World) newListener(from net.Listener) (*Listener, error) {
	accepts, ok := from.(interface{ SetDeadline(time.Time) error })
	if !ok {
		_ = from.Close()
		return nil, fmt.Errorf("listen %s %s: accepting there cannot be interrupted", from.Addr().Network(), from.Addr())
	}
	l := &Listener{world: w, listener: from, name: from.Addr().String(), accepting: wait.NewMutex(wait.HandOver), done: make(chan struct{})}
	l.accepting.SetName("accepting on " + l.name)
	l.accepts.setDeadline = accepts.SetDeadline
	return l, nil
}

// Addr is the address on which it listens.
func (l *Listener) Addr() net.Addr { return l.listener.Addr() }

// Accept waits for a connection, also through a shortage of descriptors or memory. One that arrives
// while the deadline passes is not lost: the next Accept returns it.
func (l *Listener) Accept(f *stackful.Fiber, deadline fiber.Time) (*Conn, error) {
	if err := f.LockUntil(l.accepting, deadline); err != nil {
		return nil, err
	}
	defer func() { _ = f.Unlock(l.accepting) }()
	p := &handover[net.Conn]{discard: l.keep}
	defer p.decline()
	// Without an operation, if an abandoned Accept has left a connection.
	if c := l.takeUntaken(); c != nil {
		return l.world.newConn(c), nil
	}
	op := &operation{lock: &l.accepts}
	_, err := l.world.wait(f, doing{"accept on", l.name}, deadline, func(ctx context.Context) (any, error) {
		return nil, op.run(func() error { return l.accept(ctx, p) })
	}, op.abort)
	if err != nil {
		return nil, err
	}
	return l.world.newConn(p.take()), nil
}

// accept waits, unless an aborted operation has accepted a connection meanwhile.
func (l *Listener) accept(ctx context.Context, p *handover[net.Conn]) error {
	if c := l.takeUntaken(); c != nil {
		p.deliver(c)
		return nil
	}
	c, err := l.acceptConn(ctx)
	if err == nil {
		p.deliver(c)
	}
	return err
}

// takeUntaken returns the oldest connection that was accepted for a fiber that had given up.
func (l *Listener) takeUntaken() (c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.untaken) > 0 {
		c, l.untaken = l.untaken[0], l.untaken[1:]
	}
	return c
}

// keep stores such a connection for the next Accept. Called on a worker or by a fiber.
func (l *Listener) keep(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = c.Close()
		return
	}
	l.untaken = append(l.untaken, c)
}

// Close closes the port and does not wait. Waiting calls of Accept return net.ErrClosed.
// Connections that were accepted stay open.
func (l *Listener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.done)
	}
	for _, c := range l.untaken {
		_ = c.Close()
	}
	l.untaken = nil
	return l.listener.Close()
}
