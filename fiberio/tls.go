package fiberio

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// DialTLS connects and begins TLS, with Config.ClientTLS.
func (w *World) DialTLS(f *stackful.Fiber, network, address string, deadline fiber.Time) (*Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	c, err := w.Dial(f, network, address, deadline)
	if err != nil {
		return nil, err
	}
	cfg := w.clientTLS()
	if cfg.ServerName == "" {
		cfg.ServerName = host
	}
	if err := c.StartTLS(f, cfg, deadline); err != nil {
		return nil, err
	}
	return c, nil
}

// clientTLS is a copy that may be changed.
func (w *World) clientTLS() *tls.Config {
	if w.trust == nil {
		return new(tls.Config)
	}
	return w.trust.Clone()
}

// StartTLS goes on in TLS, as the side that has dialled: all that is read and written from
// here on is encrypted. The configuration names the server, or has InsecureSkipVerify. If
// that fails, and if the fiber gives up, the connection is closed. The error names the other
// end; within it are those of crypto/tls and crypto/x509.
func (c *Conn) StartTLS(f *stackful.Fiber, cfg *tls.Config, deadline fiber.Time) error {
	return c.encrypt(f, cfg, tls.Client, deadline)
}

// AcceptTLS is StartTLS as the side that has accepted. The configuration has a certificate.
// Call it in the fiber that serves the client, not in the one that accepts: a client may
// take its time.
func (c *Conn) AcceptTLS(f *stackful.Fiber, cfg *tls.Config, deadline fiber.Time) error {
	return c.encrypt(f, cfg, tls.Server, deadline)
}

func (c *Conn) encrypt(f *stackful.Fiber, cfg *tls.Config, side func(net.Conn, *tls.Config) *tls.Conn, deadline fiber.Time) (err error) {
	defer func() {
		if err != nil {
			_ = c.Close()
		}
	}()
	for _, lock := range []stackful.Locker{c.in.reading, c.writing} {
		if err := f.LockUntil(lock, deadline); err != nil {
			return err
		}
		defer func() { _ = f.Unlock(lock) }()
	}
	raw := &prompt{Conn: c.conn}
	to := &encrypted{side(raw, cfg), raw}
	if _, err := c.world.wait(f, deadline, func(ctx context.Context) (any, error) { return nil, c.greet(ctx, to) }, nil); err != nil {
		return err
	}
	c.conn, c.in.from = to, to
	c.in.lane.setDeadline, c.out.setDeadline = to.SetReadDeadline, to.SetWriteDeadline
	return nil
}

// errAhead: what came before TLS would be taken for what came in it.
var errAhead = errors.New("something was sent before TLS began that nobody has read")

// greet does the handshake when the operations that gave up before it are out.
func (c *Conn) greet(ctx context.Context, to *encrypted) error {
	c.in.lane.turn.Lock()
	defer c.in.lane.turn.Unlock()
	c.out.turn.Lock()
	defer c.out.turn.Unlock()
	_ = to.raw.SetDeadline(time.Time{})
	err := errAhead
	if len(c.in.unread) == 0 {
		err = to.HandshakeContext(ctx)
	}
	if err != nil {
		return fmt.Errorf("tls %s: %w", to.raw.RemoteAddr(), err)
	}
	return nil
}

// encrypted is a connection in TLS. Closing it says goodbye if that takes no waiting.
type encrypted struct {
	*tls.Conn
	raw *prompt
}

// Close is net.Conn's.
func (c *encrypted) Close() error {
	c.raw.closing.Store(true)
	return c.Conn.Close()
}

// prompt lets TLS, which would take five seconds for its goodbye to a peer that does not
// read, have a moment.
type prompt struct {
	net.Conn
	closing atomic.Bool
}

// goodbyeWithin is that moment: what the system has room for is taken at once.
const goodbyeWithin = time.Millisecond

// SetWriteDeadline is net.Conn's.
func (p *prompt) SetWriteDeadline(t time.Time) error {
	if at := time.Now().Add(goodbyeWithin); p.closing.Load() && t.After(at) {
		t = at
	}
	return p.Conn.SetWriteDeadline(t)
}
