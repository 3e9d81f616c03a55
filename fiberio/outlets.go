package fiberio

import (
	"context"
	"net"
	"sync"
)

// outlets are the connections that the HTTP client has open, in use or waiting for the next
// request. net/http closes them when it likes; the World when it is closed.
type outlets struct {
	mu     sync.Mutex
	open   map[*outlet]struct{}
	closed bool
	dials  sync.WaitGroup
}

// outlet is one of them.
type outlet struct {
	net.Conn
	all *outlets
}

// dialForClient connects, for as long as the World is open: net/http goes on dialling for
// the next request when the one that wanted it has been given up.
func (w *World) dialForClient(ctx context.Context, network, address string) (net.Conn, error) {
	if !w.outlets.begin() {
		return nil, net.ErrClosed
	}
	defer w.outlets.dials.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.open, cancel)()
	c, err := (&net.Dialer{Resolver: w.resolver}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return w.outlets.add(c), nil
}

func (o *outlets) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.dials.Add(1)
	}
	return !o.closed
}

func (o *outlets) add(c net.Conn) net.Conn {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open == nil {
		o.open = map[*outlet]struct{}{}
	}
	made := &outlet{c, o}
	o.open[made] = struct{}{}
	return made
}

// Close is for net/http.
func (c *outlet) Close() error {
	c.all.mu.Lock()
	delete(c.all.open, c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// close ends all of them, when their requests have ended and no dial waits any more.
func (o *outlets) close() {
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
