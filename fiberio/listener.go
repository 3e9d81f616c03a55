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

// Listener has connections come in. Any number of fibers may accept; they take turns in
// order of arrival.
type Listener struct {
	world     *World
	listener  net.Listener
	accepting *wait.Mutex
	door      lane

	mu     sync.Mutex
	left   []net.Conn // by fibers that gave up while these came
	closed bool
}

// Listen opens a port. The network is tcp, tcp4, tcp6 or unix, as for net.Listen; port 0 is
// one that is free. A host may be a name, which takes the time of a lookup.
func (w *World) Listen(f *stackful.Fiber, network, address string, deadline fiber.Time) (*Listener, error) {
	p := &parcel[net.Listener]{unclaim: func(l net.Listener) { _ = l.Close() }}
	defer p.refuse()
	_, err := w.wait(f, deadline, func(ctx context.Context) (any, error) {
		l, err := new(net.ListenConfig).Listen(ctx, network, address)
		if err == nil {
			p.bring(l)
		}
		return nil, err
	}, nil)
	if err != nil {
		return nil, err
	}
	return w.newListener(p.take())
}

func (w *World) newListener(from net.Listener) (*Listener, error) {
	door, ok := from.(interface{ SetDeadline(time.Time) error })
	if !ok {
		_ = from.Close()
		return nil, fmt.Errorf("listen %s %s: accepting there cannot be interrupted", from.Addr().Network(), from.Addr())
	}
	l := &Listener{world: w, listener: from, accepting: wait.NewMutex(wait.HandOn)}
	l.accepting.SetName("accepting on " + from.Addr().String())
	l.door.setDeadline = door.SetDeadline
	return l, nil
}

// Addr is where it listens.
func (l *Listener) Addr() net.Addr { return l.listener.Addr() }

// Accept waits for a connection. One that comes when the deadline passes is not lost: the
// next Accept has it.
func (l *Listener) Accept(f *stackful.Fiber, deadline fiber.Time) (*Conn, error) {
	if err := f.LockUntil(l.accepting, deadline); err != nil {
		return nil, err
	}
	defer func() { _ = f.Unlock(l.accepting) }()
	p := &parcel[net.Conn]{unclaim: l.leave}
	defer p.refuse()
	if c := l.takeLeft(); c != nil {
		return l.world.newConn(c), nil
	}
	pass := &passage{lane: &l.door}
	_, err := l.world.wait(f, deadline, func(context.Context) (any, error) {
		return nil, pass.through(func() error { return l.accept(p) })
	}, pass.abort)
	if err != nil {
		return nil, err
	}
	return l.world.newConn(p.take()), nil
}

// accept waits, unless the operation before has left a connection.
func (l *Listener) accept(p *parcel[net.Conn]) error {
	if c := l.takeLeft(); c != nil {
		p.bring(c)
		return nil
	}
	c, err := l.listener.Accept()
	if err == nil {
		p.bring(c)
	}
	return err
}

func (l *Listener) takeLeft() (c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.left) > 0 {
		c, l.left = l.left[0], l.left[1:]
	}
	return c
}

func (l *Listener) leave(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = c.Close()
		return
	}
	l.left = append(l.left, c)
}

// Close closes the port. Whoever waits to accept has an error, net.ErrClosed. It does not
// wait; connections that were accepted stay.
func (l *Listener) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, c := range l.left {
		_ = c.Close()
	}
	l.left = nil
	return l.listener.Close()
}

// everyone is the listener as net/http knows it. Those come first whom a fiber has left.
type everyone struct{ *Listener }

// Accept waits on the goroutine that calls.
func (l everyone) Accept() (net.Conn, error) {
	if c := l.takeLeft(); c != nil {
		return c, nil
	}
	return l.listener.Accept()
}
