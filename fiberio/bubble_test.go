package fiberio_test

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wallclock"
)

// inBubble runs a test in the time of testing/synctest, which advances when every goroutine
// waits. Connections are pipes in memory without a buffer: what a client has written, the server
// has read.
func inBubble(t *testing.T, test func(w *fixture)) {
	synctest.Test(t, func(t *testing.T) {
		test(newFixtureOn(t, scheduler.Config{Clock: bubbleClock{wallclock.New()}}, fiberio.Config{}))
	})
}

// bubbleClock does not spin, because time does not advance meanwhile.
type bubbleClock struct{ clock *wallclock.Clock }

func (c bubbleClock) Now() fiber.Time { return c.clock.Now() }

func (c bubbleClock) Wait(ctx context.Context, until fiber.Time, wake <-chan struct{}) {
	c.clock.Wait(ctx, until, wake)
}

// pipes is a listener for connections in memory. The errors come before the connections.
type pipes struct {
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
	mu      sync.Mutex
	errs    []error
	accepts int           // calls of Accept
	due     chan struct{} // closed when the deadline has passed
}

func newPipes(errs ...error) *pipes {
	return &pipes{conns: make(chan net.Conn), closed: make(chan struct{}), errs: errs, due: make(chan struct{})}
}

func (l *pipes) Accept() (net.Conn, error) {
	l.mu.Lock()
	l.accepts++
	due := l.due
	if len(l.errs) > 0 {
		err := l.errs[0]
		l.errs = l.errs[1:]
		l.mu.Unlock()
		return nil, err
	}
	l.mu.Unlock()
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-due:
		return nil, os.ErrDeadlineExceeded
	}
}

func (l *pipes) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

// SetDeadline is for an instant in the past, or none.
func (l *pipes) SetDeadline(at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = make(chan struct{})
	if !at.IsZero() {
		close(l.due)
	}
	return nil
}

// accepted is how many connections the other side has accepted, or is about to.
func (l *pipes) accepted() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.accepts
}

// dial connects a client, which closes its end.
func (l *pipes) dial() net.Conn {
	client, server := net.Pipe()
	l.conns <- server
	return client
}

// serving runs a server in a bubble while the clients run, which are on goroutines of their own.
func (w *fixture) serving(server *fiberio.Server, clients func(l *pipes)) {
	w.Helper()
	w.servingOn(newPipes(), server, clients)
}

func (w *fixture) servingOn(l *pipes, server *fiberio.Server, clients func(l *pipes)) {
	w.Helper()
	listener, err := fiberio.ListenOn(w.world, l)
	require.NoError(w, err)
	w.fiber("serving", func(f *stackful.Fiber) error { return server.Serve(f, listener, fiber.Never) })
	w.fiber("clients", func(f *stackful.Fiber) error {
		defer server.Close()
		_, err := fiberio.Wait(w.world, f, fiber.Never, func(context.Context) (struct{}, error) {
			clients(l)
			return struct{}{}, nil
		})
		return err
	})
	w.run()
}

// response is what the server sends until it closes the connection.
func response(t assert.TestingT, c net.Conn) string {
	got, err := io.ReadAll(c)
	assert.NoError(t, err)
	return string(got)
}

// send writes, and fails the test if the server does not take all of it.
func send(t assert.TestingT, c net.Conn, s string) {
	_, err := io.WriteString(c, s)
	assert.NoError(t, err)
}
