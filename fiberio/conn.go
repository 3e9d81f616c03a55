package fiberio

import (
	"context"
	"fmt"
	"net"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// Conn is a stream connection. Any number of fibers may use it: reads take turns in order
// of arrival, and so do writes.
type Conn struct {
	world *World
	conn  net.Conn

	in      Reader
	writing *wait.Mutex // of the fibers
	out     lane        // of the operations
}

func (w *World) newConn(c net.Conn) *Conn {
	conn := &Conn{world: w, conn: c, writing: wait.NewMutex(wait.HandOn)}
	conn.in.open(w, c, c.RemoteAddr().String())
	conn.out.setDeadline = c.SetWriteDeadline
	conn.writing.SetName("writing to " + c.RemoteAddr().String())
	return conn
}

// Dial connects. The network is tcp, tcp4, tcp6 or unix, as for net.Dial.
func (w *World) Dial(f *stackful.Fiber, network, address string, deadline fiber.Time) (*Conn, error) {
	p := &parcel[net.Conn]{unclaim: closeConn}
	defer p.refuse()
	_, err := w.wait(f, deadline, func(ctx context.Context) (any, error) {
		d := net.Dialer{Resolver: w.resolver}
		c, err := d.DialContext(ctx, network, address)
		if err == nil {
			p.bring(c)
		}
		return nil, err
	}, nil)
	if err != nil {
		return nil, err
	}
	return w.newConn(p.take()), nil
}

func closeConn(c net.Conn) { _ = c.Close() }

// LocalAddr is this end.
func (c *Conn) LocalAddr() net.Addr { return c.conn.LocalAddr() }

// RemoteAddr is the other end.
func (c *Conn) RemoteAddr() net.Addr { return c.conn.RemoteAddr() }

// Read waits until there is something to read, and reads some of it. The error is io.EOF at
// the end. What comes when the deadline passes is not lost: the next Read has it.
func (c *Conn) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return c.in.Read(f, p, deadline)
}

// Write writes all of p, or fails: then some of it may have been written, and the other end
// cannot tell where the rest belongs, so close the connection. p is copied.
func (c *Conn) Write(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return c.write(f, append([]byte(nil), p...), deadline)
}

// WriteString is Write.
func (c *Conn) WriteString(f *stackful.Fiber, s string, deadline fiber.Time) (int, error) {
	return c.write(f, []byte(s), deadline)
}

func (c *Conn) write(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	if err := f.LockUntil(c.writing, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(c.writing) }()
	pass := &passage{lane: &c.out}
	n, err := c.world.wait(f, deadline, func(context.Context) (written any, err error) {
		err = pass.through(func() error { written, err = c.conn.Write(p); return err })
		return written, err
	}, pass.abort)
	written, _ := n.(int)
	return written, err
}

// CloseWrite tells the other end that nothing more comes; reading goes on. Connections that
// have no half are closed. In TLS it is an error while a Write is under way.
func (c *Conn) CloseWrite() error {
	if _, secret := c.conn.(*encrypted); secret {
		if !c.out.turn.TryLock() { // it would wait, and has no fiber
			return fmt.Errorf("close %s for writing: a write is under way", c.conn.RemoteAddr())
		}
		defer c.out.turn.Unlock()
	}
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.conn.Close()
}

// Close closes the connection. Whoever waits to read or write has an error, net.ErrClosed,
// and so has who tries it later. It does not wait.
func (c *Conn) Close() error { return c.conn.Close() }
