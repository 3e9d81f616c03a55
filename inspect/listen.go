package inspect

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
)

// maxConnections is how many connections of an inspector are open at once; later ones wait.
const maxConnections = 128

// Listener accepts the connections of an inspector. Close it, or give it to Serve.
type Listener struct {
	net.Listener
	slots chan struct{}
	done  chan struct{}
	once  sync.Once
}

// Listen listens on a TCP address, host:port. Without a host that is the loopback address 127.0.0.1, and not every
// address of the machine; port 0 chooses one that is free.
func Listen(addr string) (*Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address of the form host:port: %w", addr, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	return &Listener{Listener: l, slots: make(chan struct{}, maxConnections), done: make(chan struct{})}, nil
}

// Loopback tells whether only this machine can reach the listener.
func (l *Listener) Loopback() bool {
	addr, ok := l.Addr().(*net.TCPAddr)
	return ok && addr.IP.IsLoopback()
}

// URL is the address of the page, with the token in it if there is one. For a listener on every address of the machine it
// has that of loopback.
func (l *Listener) URL(token string) string {
	host, port, _ := net.SplitHostPort(l.Addr().String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	u := url.URL{Scheme: "http", Host: net.JoinHostPort(host, port), Path: "/"}
	if token != "" {
		u.RawQuery = url.Values{"token": {token}}.Encode()
	}
	return strings.TrimSpace(u.String())
}

// Accept waits for a connection, and before that for one of those that are open to end if there are many.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &counted{Conn: c, slots: l.slots}, nil
}

// Close ends Accept.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

// counted gives its place back when it is closed.
type counted struct {
	net.Conn
	slots chan struct{}
	once  sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { <-c.slots })
	return c.Conn.Close()
}
