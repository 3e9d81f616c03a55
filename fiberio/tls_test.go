package fiberio_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/sandbox"
	"github.com/selvage-dev/selvage/stackful"
)

// identity makes the configurations of a server with a certificate and of a client that trusts it.
func identity(t *testing.T) (server, client *tls.Config) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	require.NoError(t, err)
	made, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(made)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, &tls.Config{RootCAs: pool}
}

// HTTP/1.1 and HTTP/2, with whole and with streamed bodies. A client that does not trust the
// certificate gets an error with the URL.
func TestHTTPSWithOwnRoots(t *testing.T) {
	server, client := identity(t)
	w := newFixture(t, fiberio.Config{ClientTLS: client})
	stranger, err := fiberio.New(w.rt, fiberio.Config{Access: sandbox.Process()})
	require.NoError(t, err)
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		s := w.world.NewStreamServer(func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
			if x.Request.URL.Path == "/whole" {
				return text(200, x.Request.Proto), nil
			}
			got, err := all(f, x)
			if err == nil {
				_, err = x.Write(f, append([]byte("got "), got...), fiber.Never)
			}
			return nil, err
		}, fiberio.ServerConfig{})
		serving := w.fiber("serving", func(f *stackful.Fiber) error { return s.ServeTLS(f, l, server, fiber.Never) })
		url := "https://" + l.Addr().String()
		r, _ := http.NewRequest(http.MethodGet, url+"/whole", nil)
		got, err := w.world.Fetch(f, r, fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, "HTTP/2.0", string(got.Body))
		r, _ = http.NewRequest(http.MethodPost, url, io.LimitReader(neverEnding('x'), 100<<10))
		answer, err := w.world.Request(f, r, fiber.Never)
		require.NoError(w, err)
		body, err := all(f, answer.Body)
		assert.NoError(w, err)
		assert.Len(w, body, 4+100<<10)
		answer.Body.Close(f)

		r, _ = http.NewRequest(http.MethodGet, url, nil)
		_, err = stranger.Fetch(f, r, fiber.Never)
		assert.ErrorAs(w, err, new(x509.UnknownAuthorityError))
		assert.ErrorContains(w, err, url)
		s.Close()
		_, err = f.Join(serving)
		assert.NoError(w, err)
	})
	assert.NoError(t, stranger.Close(t.Context()))
}

// neverEnding is an endless stream of one byte.
type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

func TestReadAndWriteInTLS(t *testing.T) {
	server, client := identity(t)
	w := newFixture(t, fiberio.Config{ClientTLS: client})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		w.fiber("server", func(f *stackful.Fiber) error {
			c, err := l.Accept(f, fiber.Never)
			if err != nil {
				return err
			}
			defer func() { _ = c.Close() }()
			if err := c.AcceptTLS(f, server, fiber.Never); err != nil {
				return err
			}
			got, err := all(f, c)
			if err == nil {
				_, err = c.Write(f, got, fiber.Never)
			}
			return err
		})
		c, err := w.world.DialTLS(f, "tcp", l.Addr().String(), fiber.Never)
		require.NoError(w, err)
		for range 10 { // a timeout loses no bytes in TLS either
			_, err = c.Read(f, make([]byte, 1), f.Within(100*time.Microsecond))
			assert.ErrorIs(w, err, stackful.ErrTimeout)
		}
		_, err = c.WriteString(f, "a secret", fiber.Never)
		require.NoError(w, err)
		require.NoError(w, c.CloseWrite())
		got, err := all(f, c)
		assert.NoError(w, err)
		assert.Equal(w, "a secret", string(got))
		assert.NoError(w, c.Close())
		_ = l.Close()
	})
}

// The peer is silent, or sends something that is not TLS. The error names the other end.
func TestAFailedHandshakeClosesTheConnection(t *testing.T) {
	server, client := identity(t)
	w := newFixture(t, fiberio.Config{ClientTLS: client})
	w.alone(func(f *stackful.Fiber) {
		a, b := w.pair(f)
		assert.ErrorIs(w, a.AcceptTLS(f, server, f.Within(time.Millisecond)), stackful.ErrTimeout)
		_, err := b.Read(f, make([]byte, 1), fiber.Never)
		assert.ErrorIs(w, err, io.EOF)

		a, b = w.pair(f)
		_, err = b.WriteString(f, "GET / HTTP/1.1\r\n\r\n", fiber.Never)
		require.NoError(w, err)
		assert.ErrorContains(w, a.AcceptTLS(f, server, fiber.Never), "tls "+a.RemoteAddr().String()+": ")

		a, b = w.pair(f)
		_, err = b.WriteString(f, "xyz", fiber.Never)
		require.NoError(w, err)
		require.NoError(w, fill(f, a, make([]byte, 1)))
		assert.ErrorContains(w, a.AcceptTLS(f, server, fiber.Never), "unread bytes arrived before the TLS handshake")

		_, err = w.world.DialTLS(f, "tcp", "nowhere", fiber.Never)
		assert.ErrorContains(w, err, "nowhere: missing port")
	})
}

// The peer does not read, so close_notify cannot be sent.
func TestCloseInTLSDoesNotWaitForThePeer(t *testing.T) {
	server, client := identity(t)
	w := newFixture(t, fiberio.Config{ClientTLS: client})
	w.alone(func(f *stackful.Fiber) {
		a, b := w.pair(f)
		serving := w.fiber("server", func(f *stackful.Fiber) error { return a.AcceptTLS(f, server, fiber.Never) })
		cfg := client.Clone()
		cfg.ServerName = "127.0.0.1"
		require.NoError(w, b.StartTLS(f, cfg, fiber.Never))
		_, err := f.Join(serving)
		require.NoError(w, err)
		_, err = b.Write(f, make([]byte, 64<<20), f.Within(50*time.Millisecond))
		require.ErrorIs(w, err, stackful.ErrTimeout)
		began := time.Now()
		_ = b.Close()
		assert.Less(w, time.Since(began), 5*time.Second) // for which crypto/tls waits
	})
}
