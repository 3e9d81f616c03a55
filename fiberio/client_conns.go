package fiberio

import (
	"context"
	"net"
	"sync"
)

// clientConns are the open connections of the HTTP client, in use or idle. net/http closes them
// at times of its own; the rest is closed with the World.
type clientConns struct {
	mu     sync.Mutex
	open   map[*clientConn]struct{}
	closed bool
	dials  sync.WaitGroup
}

// clientConn removes itself from the set when net/http closes it.
type clientConn struct {
	net.Conn
	all *clientConns
}

// dialForClient dials until the World is closed: net/http finishes a dial for later requests
// although the request that started it was given up.
func (w *World) dialForClient(ctx context.Context, network, address string) (net.Conn, error) {
	if !w.clientConns.begin() {
		return nil, net.ErrClosed
	}
	defer w.clientConns.dials.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.ctx, cancel)()
	c, err := w.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return w.clientConns.add(c), nil
}

// begin counts a dial, or refuses it after close. Without the count a dial could add a connection
// after close had closed the others.
func (o *clientConns) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.dials.Add(1)
	}
	return !o.closed
}

// add wraps a connection so that its Close removes it from the set.
func (o *clientConns) add(c net.Conn) net.Conn {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = map[*clientConn]struct{}{}
	}
	made := &clientConn{c, o}
	o.open[made] = struct{}{}
	return made
}

// Close is called by net/http.
func (c *clientConn) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// close closes all connections. No request runs any more; dials under way are waited for.
func (o *clientConns) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.dials.Wait()
	o.mu.Lock()
	defer o.mu.Unlock()
	for c := range o.open {
		_ = c.Conn.Close()
	}
	clear(o.open)
}
