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

// DialTLS is Dial and StartTLS with Config.ClientTLS.
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

// clientTLS is a copy of Config.ClientTLS that may be changed.
func (w *World) clientTLS() *tls.Config {
	if w.tlsConfig == nil {
		return new(tls.Config)
	}
	return w.tlsConfig.Clone()
}

// StartTLS starts TLS on the connection, as the client: everything read and written from then on
// is encrypted. The configuration must have a ServerName or InsecureSkipVerify. After an error,
// or if the fiber gives up, the connection is closed. The error names the other end and wraps
// the error of crypto/tls or crypto/x509.
func (c *Conn) StartTLS(f *stackful.Fiber, cfg *tls.Config, deadline fiber.Time) error {
	return c.encrypt(f, cfg, tls.Client, deadline)
}

// AcceptTLS is StartTLS as the server. The configuration must have a certificate. Call it in the
// fiber that serves the client and not in the one that accepts, because a slow client would
// keep the others waiting.
func (c *Conn) AcceptTLS(f *stackful.Fiber, cfg *tls.Config, deadline fiber.Time) error {
	return c.encrypt(f, cfg, tls.Server, deadline)
}

// encrypt shakes hands as the given side and then replaces the connection by its TLS form.
func (c *Conn) encrypt(f *stackful.Fiber, cfg *tls.Config, side func(net.Conn, *tls.Config) *tls.Conn, deadline fiber.Time) (err error) {
	defer func() {
		if err != nil {
			_ = c.Close()
		}
	}()
	// No Read or Write may run meanwhile. Two calls lock in the same order, so they cannot deadlock.
	for _, lock := range []stackful.Locker{c.in.reading, c.writing} {
		if err := f.LockUntil(lock, deadline); err != nil {
			return err
		}
		defer func() { _ = f.Unlock(lock) }()
	}
	raw := &fastCloser{Conn: c.conn}
	to := &tlsConn{side(raw, cfg), raw}
	if _, err := c.world.wait(f, doing{"shake hands with", c.in.name}, deadline, func(ctx context.Context) (any, error) { return nil, c.handshake(ctx, to) }, nil); err != nil {
		return err
	}
	c.conn, c.in.from = to, to
	c.in.opLock.setDeadline, c.out.setDeadline = to.SetReadDeadline, to.SetWriteDeadline
	return nil
}

// errAhead: bytes from before the handshake must not be taken for encrypted ones.
var errAhead = errors.New("unread bytes arrived before the TLS handshake: read them before StartTLS or AcceptTLS")

// handshake waits for aborted operations to return, and shakes hands.
func (c *Conn) handshake(ctx context.Context, to *tlsConn) error {
	c.in.opLock.turn.Lock()
	defer c.in.opLock.turn.Unlock()
	c.out.turn.Lock()
	defer c.out.turn.Unlock()
	_ = to.raw.SetDeadline(time.Time{}) // an abort may have set it
	err := errAhead
	if len(c.in.unread) == 0 {
		err = to.HandshakeContext(ctx)
	}
	if err != nil {
		return fmt.Errorf("tls %s: %w", to.raw.RemoteAddr(), err)
	}
	return nil
}

// tlsConn is a connection in TLS. Close sends the close_notify alert only if it need not wait.
type tlsConn struct {
	*tls.Conn
	raw *fastCloser
}

// Close is net.Conn's.
func (c *tlsConn) Close() error {
	c.raw.closing.Store(true)
	return c.Conn.Close()
}

// fastCloser shortens the write deadline of the close_notify alert: crypto/tls would wait five
// seconds for a peer that does not read.
type fastCloser struct {
	net.Conn
	closing atomic.Bool
}

// closeNotifyTimeout is enough if the socket's buffer has room.
const closeNotifyTimeout = time.Millisecond

// SetWriteDeadline is net.Conn's.
func (p *fastCloser) SetWriteDeadline(t time.Time) error {
	if at := time.Now().Add(closeNotifyTimeout); p.closing.Load() && t.After(at) {
		t = at
	}
	return p.Conn.SetWriteDeadline(t)
}
