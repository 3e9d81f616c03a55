package fiberio_test

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// echo responds with the number of bytes in the body.
func echo(_ *stackful.Fiber, _ *http.Request, body []byte) (*fiberio.Response, error) {
	return text(200, string(rune('0'+len(body)%10))), nil
}

const post = "POST / HTTP/1.1\r\nHost: here\r\n"

// Every connection with a client that does not do its part is closed, after a time that the
// configuration sets. The server handles none of these requests, or one before.
func TestAServerEndsWhatAClientDoesNotContinue(t *testing.T) {
	for name, c := range map[string]struct {
		cfg    fiberio.ServerConfig
		client func(t *testing.T, c net.Conn)
		status string // of the last response; "" if there is none
		after  time.Duration
	}{
		"nothing":                     {client: func(*testing.T, net.Conn) {}, after: 10 * time.Second},
		"half a header":               {client: says(post), after: 10 * time.Second},
		"half a header, other limit":  {cfg: fiberio.ServerConfig{ReadHeaderTimeout: 3 * time.Second}, client: says(post), after: 3 * time.Second},
		"no second request":           {client: says("GET / HTTP/1.1\r\nHost: here\r\n\r\n"), status: "200 OK", after: 2 * time.Minute},
		"no second, other limit":      {cfg: fiberio.ServerConfig{IdleTimeout: time.Second}, client: says("GET / HTTP/1.1\r\nHost: here\r\n\r\n"), status: "200 OK", after: time.Second},
		"no body":                     {client: says(post + "Content-Length: 5\r\n\r\n"), status: "408 Request Timeout", after: 10 * time.Second},
		"half a body":                 {client: says(post + "Content-Length: 5\r\n\r\nab"), status: "408 Request Timeout", after: 10 * time.Second},
		"half a long body":            {client: says(post + "Content-Length: 500000\r\n\r\n" + strings.Repeat("x", 1000)), status: "408 Request Timeout", after: 10 * time.Second},
		"half a chunk":                {client: says(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nab"), status: "408 Request Timeout", after: 10 * time.Second},
		"a body drop by drop":         {client: drips(post+"Content-Length: 5000\r\n\r\n", time.Second), status: "408 Request Timeout", after: 11 * time.Second},
		"drop by drop, no rate":       {cfg: fiberio.ServerConfig{MinRate: -1}, client: drips(post+"Content-Length: 5000\r\n\r\n", time.Second), status: "408 Request Timeout", after: 5 * time.Minute},
		"drop by drop, other timeout": {cfg: fiberio.ServerConfig{MinRate: -1, BodyTimeout: time.Minute}, client: drips(post+"Content-Length: 5000\r\n\r\n", time.Second), status: "408 Request Timeout", after: time.Minute},
		"no trailer":                  {client: says(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n"), status: "408 Request Timeout", after: 10 * time.Second},
		"announced as too large":      {client: says(post + "Content-Length: 100000000\r\n\r\n"), status: "413 Request Entity Too Large"},
		"too large":                   {cfg: fiberio.ServerConfig{MaxBody: 4}, client: says(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde"), status: "413 Request Entity Too Large", after: 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				server := w.world.NewServer(echo, c.cfg)
				w.serving(server, func(l *pipes) {
					conn, begin := l.dial(), time.Now()
					defer func() { _ = conn.Close() }()
					done := make(chan struct{})
					go func() { defer close(done); c.client(t, conn) }()
					got := response(t, conn)
					assert.InDelta(t, c.after.Seconds(), time.Since(begin).Seconds(), 1, "seconds until the end")
					<-done
					if c.status == "" {
						assert.Empty(t, got)
						return
					}
					assert.Contains(t, got, "HTTP/1.1 "+c.status+"\r\n")
				})
				assert.Zero(t, fiberio.BodyMemory(server))
			})
		})
	}
}

// says is a client that writes the text and then nothing.
func says(s string) func(*testing.T, net.Conn) {
	return func(t *testing.T, c net.Conn) { send(t, c, s) }
}

// drips is a client that then writes a byte in each period, until the server closes the connection.
func drips(head string, period time.Duration) func(*testing.T, net.Conn) {
	return func(t *testing.T, c net.Conn) {
		send(t, c, head)
		tick := time.NewTicker(period)
		defer tick.Stop()
		for range tick.C {
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
		}
	}
}

// The first read of a body sends "100 Continue", which a client may refuse to accept.
func TestAServerEndsWhatAClientDoesNotLetItContinue(t *testing.T) {
	for name, server := range map[string]func(w *fixture) *fiberio.Server{
		"a whole body": func(w *fixture) *fiberio.Server { return w.world.NewServer(echo, fiberio.ServerConfig{}) },
		"a stream's":   func(w *fixture) *fiberio.Server { return w.world.NewStreamServer(readFor10s, fiberio.ServerConfig{}) },
		"a stream's, a rate": func(w *fixture) *fiberio.Server {
			return w.world.NewStreamServer(readWhole, fiberio.ServerConfig{MinRate: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				w.serving(server(w), func(l *pipes) {
					conn, begin := l.dial(), time.Now()
					defer func() { _ = conn.Close() }()
					send(t, conn, post+"Expect: 100-continue\r\nContent-Length: 5\r\n\r\n")
					_, _ = conn.Write([]byte("abcde")) // blocks until the server reads or ends
					assert.Equal(t, 10*time.Second, time.Since(begin))
					assert.Empty(t, response(t, conn))
					assert.Equal(t, 10*time.Second, time.Since(begin))
				})
			})
		})
	}
}

// A response may take longer than the client had for "100 Continue".
func TestTheDeadlineOfContinueIsNotThatOfTheResponse(t *testing.T) {
	late := func(f *stackful.Fiber, _ *http.Request, _ []byte) (*fiberio.Response, error) {
		return text(200, "late"), f.Sleep(time.Hour)
	}
	lateStream := func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		if r, err := readWhole(f, x); err != nil {
			return r, err
		}
		if err := f.Sleep(time.Hour); err != nil {
			return nil, err
		}
		_, err := x.Write(f, []byte("late"), fiber.Never)
		return nil, err
	}
	for name, server := range map[string]func(w *fixture) *fiberio.Server{
		"whole": func(w *fixture) *fiberio.Server { return w.world.NewServer(late, fiberio.ServerConfig{}) },
		"forever": func(w *fixture) *fiberio.Server {
			return w.world.NewServer(late, fiberio.ServerConfig{WriteTimeout: -1})
		},
		"stream": func(w *fixture) *fiberio.Server {
			return w.world.NewStreamServer(lateStream, fiberio.ServerConfig{MinRate: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				w.serving(server(w), func(l *pipes) {
					conn := l.dial()
					defer func() { _ = conn.Close() }()
					send(t, conn, post+"Expect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n")
					go send(t, conn, "abcde")
					got := response(t, conn)
					assert.Contains(t, got, "100 Continue")
					assert.Contains(t, got, "late")
				})
			})
		})
	}
}

// readFor10s reads the request's body with a deadline.
func readFor10s(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
	_, err := x.Read(f, make([]byte, 10), f.Within(10*time.Second))
	return nil, err
}
