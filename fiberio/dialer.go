package fiberio

import (
	"context"
	"net"
	"syscall"
)

// dial connects if Config.Access allows it: for the name before it is resolved, and then for the
// address, each time that the system is about to connect to one. A name whose address changes in
// between gains nothing.
func (w *World) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if err := w.network.Dial(network, address); err != nil {
		return nil, err
	}
	d := net.Dialer{Resolver: w.resolver} // ends with ctx, the lookup included
	d.Control = func(_, actual string, _ syscall.RawConn) error { return w.network.Dialed(address, actual) }
	return d.DialContext(ctx, network, address)
}

// listen is dial for listening.
func (w *World) listen(ctx context.Context, network, address string) (net.Listener, error) {
	if err := w.network.Listen(network, address); err != nil {
		return nil, err
	}
	var l net.ListenConfig
	l.Control = func(_, actual string, _ syscall.RawConn) error { return w.network.Listened(address, actual) }
	return l.Listen(ctx, network, address)
}
