package fiberio

import (
	"context"
	"fmt"
	"net"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Conn is a stream connection. Any number of fibers may use it: reads happen one after the
// other in order of arrival, and so do writes.
type Conn struct {
	world *World
	conn  net.Conn

	in      Reader
	writing *wait.Mutex // orders the fibers
	out     opLock      // of the operations
}

// newConn makes a Conn, which owns the connection. Reads and writes have an opLock each, because
// they have separate deadlines.
func (w *World) newConn(c net.Conn) *Conn {
	conn := &Conn{world: w, conn: c, writing: wait.NewMutex(wait.HandOver)}
	conn.in.open(w, c, c.RemoteAddr().String())
	conn.out.setDeadline = c.SetWriteDeadline
	conn.writing.SetName("writing to " + c.RemoteAddr().String())
	return conn
}

// Dial connects to the address. The network is tcp, tcp4, tcp6 or unix, as for net.Dial.
func (w *World) Dial(f *stackful.Fiber, network, address string, deadline fiber.Time) (*Conn, error) {
	p := &handover[net.Conn]{discard: closeConn}
	defer p.decline()
	_, err := w.wait(f, doing{"dial", address}, deadline, func(ctx context.Context) (any, error) {
		c, err := w.dial(ctx, network, address)
		if err == nil {
			p.deliver(c)
		}
		return nil, err
	}, nil)
	if err != nil {
		return nil, err
	}
	return w.newConn(p.take()), nil
}

func closeConn(c net.Conn) { _ = c.Close() }

// LocalAddr is the address of this end.
func (c *Conn) LocalAddr() net.Addr { return c.conn.LocalAddr() }

// RemoteAddr is the address of the other end.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// Read waits for bytes and reads at least one of them. The error is io.EOF at the end. Bytes
// that arrive while the deadline passes are not lost: the next Read returns them.
func (c *Conn) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return c.in.Read(f, p, deadline)
}

// Write writes all of p, or fails. After an error an unknown part of p may have been written:
// close the connection. p is copied, so the caller may change it at once.
func (c *Conn) Write(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return c.write(f, append([]byte(nil), p...), deadline)
}

// WriteString is Write for a string.
func (c *Conn) WriteString(f *stackful.Fiber, s string, deadline fiber.Time) (int, error) {
	return c.write(f, []byte(s), deadline)
}

// write writes p, which it owns: an abandoned operation may still read it.
func (c *Conn) write(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	if err := f.LockUntil(c.writing, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(c.writing) }()
	op := &operation{lock: &c.out}
	n, err := c.world.wait(f, doing{"write to", c.in.name}, deadline, func(context.Context) (written any, err error) {
		err = op.run(func() error { written, err = c.conn.Write(p); return err })
		return written, err
	}, op.abort)
	written, _ := n.(int)
	return written, err
}

// CloseWrite tells the other end that no more bytes follow; reading goes on. A connection that
// cannot be closed for writing only is closed. In TLS it is an error while a Write is running.
func (c *Conn) CloseWrite() error {
	if _, isTLS := c.conn.(*tlsConn); isTLS {
		if !c.out.turn.TryLock() { // CloseWrite has no fiber, so it must not wait
			return fmt.Errorf("close %s for writing: a write is under way", c.conn.RemoteAddr())
		}
		defer c.out.turn.Unlock()
	}
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.conn.Close()
}

// Close closes the connection and does not wait. Reads and writes that are waiting, and later
// ones, return net.ErrClosed.
func (c *Conn) Close() error { return c.conn.Close() }
