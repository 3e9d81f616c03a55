package fiberio_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// readAhead is how much net/http reads from a connection before the server asks for it.
const readAhead = 4 << 10

// Thirty clients send half of a body each. The server takes no more than MaxBodies; the rest
// stays with the clients until there is room, and in the end every request is handled.
func TestHalfSentBodiesAreBoundedTogether(t *testing.T) {
	const clients, size, most = 30, 100_000, 250_000
	for name, length := range map[string]string{
		"announced": fmt.Sprintf("Content-Length: %d\r\n\r\n", size),
		"chunked":   fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", size),
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				var served, taken atomic.Int64
				server := w.world.NewServer(func(_ *stackful.Fiber, _ *http.Request, body []byte) (*fiberio.Response, error) {
					assert.Len(w, body, size)
					served.Add(1)
					return nil, nil
				}, fiberio.ServerConfig{MaxBody: size, MaxBodies: most})
				w.serving(server, func(l *pipes) {
					release := make(chan struct{})
					var all sync.WaitGroup
					for range clients {
						c := l.dial()
						all.Go(func() {
							defer func() { _ = c.Close() }()
							send(t, c, post+"Connection: close\r\n"+length)
							upload(t, c, size/2, &taken)
							<-release
							upload(t, c, size-size/2, new(atomic.Int64))
							if name == "chunked" {
								send(t, c, "\r\n0\r\n\r\n")
							}
							assert.Contains(t, response(t, c), "204 No Content")
						})
					}
					synctest.Wait()
					assert.LessOrEqual(t, taken.Load(), int64(most+clients*readAhead))
					assert.LessOrEqual(t, fiberio.BodyMemory(server), int64(most))
					assert.Zero(t, served.Load())
					close(release)
					all.Wait()
				})
				assert.Equal(t, int64(clients), served.Load())
				assert.Zero(t, fiberio.BodyMemory(server))
			})
		})
	}
}

// upload writes n bytes, and counts those that the server has taken.
func upload(t *testing.T, c net.Conn, n int, taken *atomic.Int64) {
	part := strings.Repeat("x", 1000)
	for ; n > 0; n -= len(part) {
		sent, err := io.WriteString(c, part[:min(n, len(part))])
		taken.Add(int64(sent))
		assert.NoError(t, err)
	}
}

// While a handler has the memory, another body waits for it until its deadline. Requests without
// a body do not wait.
func TestABodyThatFindsNoRoomIsAnswered503(t *testing.T) {
	inBubble(t, func(w *fixture) {
		release := make(chan struct{})
		server := w.world.NewServer(func(f *stackful.Fiber, r *http.Request, _ []byte) (*fiberio.Response, error) {
			if r.URL.Path == "/hold" {
				_, err := fiberio.Wait(w.world, f, f.Within(time.Hour), received(release))
				return nil, err
			}
			return nil, nil
		}, fiberio.ServerConfig{MaxBody: 1000, MaxBodies: 1000, BodyTimeout: time.Minute})
		w.serving(server, func(l *pipes) {
			holder, other, reader := l.dial(), l.dial(), l.dial()
			send(t, holder, "POST /hold HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n"+strings.Repeat("x", 1000))
			synctest.Wait()
			begin := time.Now()
			send(t, other, post+"Content-Length: 1\r\n\r\nx")
			send(t, reader, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
			assert.Contains(t, response(t, reader), "204 No Content")
			assert.Zero(t, time.Since(begin), "of a request without a body")
			assert.Contains(t, response(t, other), "503 Service Unavailable")
			assert.InDelta(t, 60, time.Since(begin).Seconds(), 1)
			close(release)
			assert.Contains(t, response(t, holder), "204 No Content")
			for _, c := range []net.Conn{holder, other, reader} {
				_ = c.Close()
			}
		})
	})
}

// The client goes away; the memory of the body stays in use until the handler's fiber has ended.
func TestTheMemoryOfABodyIsThatOfTheHandlersFiber(t *testing.T) {
	inBubble(t, func(w *fixture) {
		var server *fiberio.Server
		ended := make(chan struct{})
		server = w.world.NewServer(func(f *stackful.Fiber, _ *http.Request, _ []byte) (*fiberio.Response, error) {
			defer close(ended)
			require.ErrorIs(w, f.Sleep(time.Hour), fiberio.ErrClientGone)
			require.NoError(w, f.Sleep(time.Second)) // a cause is delivered once
			assert.Equal(w, int64(1000), fiberio.BodyMemory(server))
			return nil, nil
		}, fiberio.ServerConfig{})
		w.serving(server, func(l *pipes) {
			c := l.dial()
			send(t, c, post+"Content-Length: 1000\r\n\r\n"+strings.Repeat("x", 1000))
			synctest.Wait()
			_ = c.Close()
			<-ended
		})
		assert.Zero(t, fiberio.BodyMemory(server))
	})
}

// A client must accept 64 kB of the response in each minute.
func TestAResponseThatIsNotAcceptedIsCutOff(t *testing.T) {
	const size = 256 << 10
	for name, c := range map[string]struct {
		pause time.Duration
		whole bool
	}{"slow": {25 * time.Second, true}, "stopped": {70 * time.Second, false}} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				server := w.world.NewServer(func(*stackful.Fiber, *http.Request, []byte) (*fiberio.Response, error) {
					return text(200, strings.Repeat("x", size)), nil
				}, fiberio.ServerConfig{})
				w.serving(server, func(l *pipes) {
					conn := l.dial()
					defer func() { _ = conn.Close() }()
					send(t, conn, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
					got := 0
					for n, err := 0, error(nil); err == nil; got += n {
						<-time.NewTimer(c.pause).C
						n, err = io.ReadFull(conn, make([]byte, 64<<10))
					}
					assert.Equal(t, c.whole, got > size, "%d bytes", got)
				})
			})
		})
	}
}

// A request that gets no fiber gives its memory back.
func TestARequestWithoutAFiberHoldsNoMemory(t *testing.T) {
	inBubble(t, func(w *fixture) {
		refused := make(chan struct{})
		server := w.world.NewServer(func(*stackful.Fiber, *http.Request, []byte) (*fiberio.Response, error) {
			for w.rt.Scheduler().Inbox().Do(func() {}) == nil {
				continue
			}
			<-refused // the owner waits here, so that the inbox stays full
			return nil, nil
		}, fiberio.ServerConfig{})
		w.serving(server, func(l *pipes) {
			first, second := l.dial(), l.dial()
			send(t, first, "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
			synctest.Wait()
			send(t, second, post+"Connection: close\r\nContent-Length: 3\r\n\r\nabc")
			assert.Contains(t, response(t, second), "503 Service Unavailable")
			assert.Zero(t, fiberio.BodyMemory(server))
			close(refused)
			assert.Contains(t, response(t, first), "204 No Content")
			_, _ = first.Close(), second.Close()
		})
	})
}

func TestAServerWithoutLimits(t *testing.T) {
	inBubble(t, func(w *fixture) {
		no := fiberio.ServerConfig{ReadHeaderTimeout: -1, IdleTimeout: -1, BodyTimeout: -1, MinRate: -1, MaxBody: -1, MaxBodies: -1, WriteTimeout: -1}
		w.serving(w.world.NewServer(echo, no), func(l *pipes) {
			c := l.dial()
			defer func() { _ = c.Close() }()
			for _, part := range []string{"POST / HTTP/1.1\r\nHost: here\r\n", "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\nab", "c\r\n0\r\n\r\n"} {
				<-time.NewTimer(1000 * time.Hour).C
				send(t, c, part)
			}
			assert.Contains(t, response(t, c), "\r\n\r\n3")
		})
	})
}
