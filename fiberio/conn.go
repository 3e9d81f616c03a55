package fiberio

import (
	"context"
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

	reading, writing *wait.Mutex // of the fibers
	in, out          lane        // of the operations

	// What has been read and nobody has taken. It is whoever's who holds in.turn, and
	// outlives the operation that read it: a reader that gives up loses nothing.
	buf    []byte
	unread []byte // part of buf
}

// leastRead is how much is read at once, at least, and mostRead at most.
const (
	leastRead = 4 << 10
	mostRead  = 64 << 10
)

func (w *World) newConn(c net.Conn) *Conn {
	conn := &Conn{world: w, conn: c, reading: wait.NewMutex(wait.HandOn), writing: wait.NewMutex(wait.HandOn)}
	conn.in.setDeadline, conn.out.setDeadline = c.SetReadDeadline, c.SetWriteDeadline
	conn.reading.SetName("reading from " + c.RemoteAddr().String())
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
	if err := f.LockBy(c.reading, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(c.reading) }()
	if n := c.takeUnread(p); n > 0 || len(p) == 0 {
		return n, nil
	}
	most := min(max(len(p), leastRead), mostRead)
	pass := &passage{lane: &c.in}
	_, err := c.world.wait(f, deadline, func(context.Context) (any, error) {
		return nil, pass.through(func() error { return c.fill(most) })
	}, pass.abort)
	if err != nil {
		return 0, err
	}
	return c.takeUnread(p), nil
}

// takeUnread takes what has been read before. While an operation that was given up is still
// inside, nobody knows; the next one comes behind it.
func (c *Conn) takeUnread(p []byte) int {
	if !c.in.turn.TryLock() {
		return 0
	}
	defer c.in.turn.Unlock()
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n
}

// fill reads, unless the operation before has left something.
func (c *Conn) fill(most int) error {
	if len(c.unread) > 0 {
		return nil
	}
	if len(c.buf) < most {
		c.buf = make([]byte, most)
	}
	n, err := c.conn.Read(c.buf)
	c.unread = c.buf[:n]
	if n > 0 {
		return nil
	}
	return err
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
	if err := f.LockBy(c.writing, deadline); err != nil {
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
// have no half are closed.
func (c *Conn) CloseWrite() error {
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.conn.Close()
}

// Close closes the connection. Whoever waits to read or write has an error, net.ErrClosed,
// and so has who tries it later. It does not wait.
func (c *Conn) Close() error { return c.conn.Close() }
