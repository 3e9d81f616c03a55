package fiberio_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// readWhole reads the request's body, without a deadline of its own.
func readWhole(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
	buf := make([]byte, 1000)
	for {
		if _, err := x.Read(f, buf, fiber.Never); err == io.EOF {
			return text(200, "whole"), nil
		} else if err != nil {
			return nil, err
		}
	}
}

// A handler that reads the body itself sets the deadlines; the configuration can add limits. A
// connection does not outlive its handler for a body that was not read.
func TestTheLimitsOfAStream(t *testing.T) {
	begins := func(f *stackful.Fiber, x *fiberio.Stream) (*fiberio.Response, error) {
		_, err := x.Write(f, []byte("begun"), fiber.Never)
		return nil, err
	}
	ignore := func(*stackful.Fiber, *fiberio.Stream) (*fiberio.Response, error) { return text(200, "ignored"), nil }
	fails := func(*stackful.Fiber, *fiberio.Stream) (*fiberio.Response, error) { return nil, errors.New("boom") }
	const chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
	for name, c := range map[string]struct {
		cfg     fiberio.ServerConfig
		handler fiberio.StreamHandler
		client  func(*testing.T, net.Conn)
		status  string
		after   time.Duration
	}{
		"no limit":            {handler: readWhole, client: slowly(time.Hour), status: "200 OK", after: 5*time.Hour + 2*time.Minute},
		"a rate":              {cfg: fiberio.ServerConfig{MinRate: 1}, handler: readWhole, client: slowly(time.Hour), after: 10 * time.Second},
		"a rate that is met":  {cfg: fiberio.ServerConfig{MinRate: 1}, handler: readWhole, client: slowly(time.Second), status: "200 OK", after: 5*time.Second + 2*time.Minute},
		"a timeout":           {cfg: fiberio.ServerConfig{BodyTimeout: 90 * time.Minute}, handler: readWhole, client: slowly(time.Hour), after: 90 * time.Minute},
		"announced too large": {cfg: fiberio.ServerConfig{MaxBody: 4}, handler: readWhole, client: says(post + "Content-Length: 5\r\n\r\n"), status: "413", after: 10 * time.Second},
		"too large":           {cfg: fiberio.ServerConfig{MaxBody: 4}, handler: readWhole, client: says(chunked + "5\r\nabcde"), status: "413", after: 10 * time.Second},
		"not read":            {handler: ignore, client: says(post + "Content-Length: 5\r\n\r\nab"), status: "200 OK", after: 10 * time.Second},
		"arrived, not read":   {handler: ignore, client: says(post + "Content-Length: 5\r\n\r\nabcde"), status: "200 OK", after: 2 * time.Minute},
		"not read, written":   {handler: begins, client: says(post + "Content-Length: 5\r\n\r\nab"), status: "200 OK", after: 10 * time.Second},
		"failed":              {handler: fails, client: says(post + "Content-Length: 5\r\n\r\nab"), status: "500", after: 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				w.serving(w.world.NewStreamServer(c.handler, c.cfg), func(l *pipes) {
					conn, begin := l.dial(), time.Now()
					defer func() { _ = conn.Close() }()
					done := make(chan struct{})
					go func() { defer close(done); c.client(t, conn) }()
					got := response(t, conn)
					assert.InDelta(t, c.after.Seconds(), time.Since(begin).Seconds(), 1, "seconds until the end")
					<-done
					if c.status == "" {
						assert.Empty(t, got) // and the handler is cancelled
						return
					}
					assert.Contains(t, got, "HTTP/1.1 "+c.status)
				})
			})
		})
	}
}

// slowly is a client that sends a body of five bytes with a pause before each.
func slowly(pause time.Duration) func(*testing.T, net.Conn) {
	return func(t *testing.T, c net.Conn) {
		send(t, c, post+"Content-Length: 5\r\n\r\n")
		for _, b := range strings.Split("abcde", "") {
			<-time.NewTimer(pause).C
			if _, err := io.WriteString(c, b); err != nil {
				return // the server has closed the connection
			}
		}
	}
}
