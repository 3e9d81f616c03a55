package fiberio_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// answering starts a server that sends one client the text, and returns its URL.
func (w *fixture) answering(f *stackful.Fiber, answer string) string {
	w.Helper()
	l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
	require.NoError(w, err)
	w.fiber("answering", func(f *stackful.Fiber) error {
		defer func() { _ = l.Close() }()
		c, err := l.Accept(f, fiber.Never)
		require.NoError(w, err)
		defer func() { _ = c.Close() }()
		_, err = c.Read(f, make([]byte, 4096), fiber.Never)
		require.NoError(w, err)
		_, err = c.WriteString(f, answer, fiber.Never)
		return err
	})
	return "http://" + l.Addr().String() + "/file"
}

func TestTheErrorOfACutOffBodyNamesTheURL(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		for answer, why := range map[string]string{
			"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc":                  "unexpected EOF",
			"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n": "invalid byte in chunk length",
		} {
			where := w.answering(f, answer)
			r, err := http.NewRequest(http.MethodGet, where, nil)
			require.NoError(w, err)
			_, err = w.world.Fetch(f, r, fiber.Never)
			assert.EqualError(w, err, `Read "`+where+`": `+why)
			assert.ErrorAs(w, err, new(*url.Error))

			r.URL, err = url.Parse(w.answering(f, answer))
			require.NoError(w, err)
			got, err := w.world.Request(f, r, fiber.Never)
			require.NoError(w, err)
			for err == nil {
				_, err = got.Body.Read(f, make([]byte, 10), fiber.Never)
			}
			assert.EqualError(w, err, `Read "`+r.URL.String()+`": `+why)
			got.Body.Close(f)
		}
	})
}

func TestContentLengthIsThatOfTheBody(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	lies := http.Header{"Content-Length": {"3"}}
	w.serve(func(_ *stackful.Fiber, r *http.Request, _ []byte) (*fiberio.Response, error) {
		if r.URL.Path == "/empty" || r.Method == http.MethodHead {
			return &fiberio.Response{Status: http.StatusOK, Header: lies}, nil
		}
		return &fiberio.Response{Status: http.StatusOK, Header: lies, Body: []byte("hello")}, nil
	}, func(f *stackful.Fiber, s *site) {
		for path, want := range map[string]string{"/": "hello", "/empty": ""} {
			got, err := s.get(f, path)
			if assert.NoError(w, err, path) {
				assert.Equal(w, want, string(got.Body))
			}
		}
		r, err := http.NewRequest(http.MethodHead, s.url, nil)
		require.NoError(w, err)
		got, err := w.world.Fetch(f, r, fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, "3", got.Header.Get("Content-Length"), "of the body that a GET would have")
	})
}

func TestABodyAnnouncedAsTooLargeIsRefusedBeforeItArrives(t *testing.T) {
	w := newFixture(t, fiberio.Config{MaxBytes: 10})
	w.serve(func(*stackful.Fiber, *http.Request, []byte) (*fiberio.Response, error) {
		return text(http.StatusOK, "never"), nil
	}, func(f *stackful.Fiber, s *site) {
		c, err := w.world.Dial(f, "tcp", s.address, fiber.Never)
		require.NoError(w, err)
		defer func() { _ = c.Close() }()
		_, err = c.WriteString(f, "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n", fiber.Never)
		require.NoError(w, err)
		buf := make([]byte, 12)
		_, err = c.Read(f, buf, f.Within(time.Minute))
		require.NoError(w, err)
		assert.Equal(w, "HTTP/1.1 413", string(buf))
	})
}

// Another fiber keeps the owner busy while the client disconnects and the inbox is full.
func TestAHandlerIsCancelledThoughTheInboxIsFull(t *testing.T) {
	w := newFixtureOn(t, scheduler.Config{MaxCommands: 3}, fiberio.Config{})
	gone := make(chan error, 1)
	var client net.Conn
	var ended error
	w.serve(func(f *stackful.Fiber, _ *http.Request, _ []byte) (*fiberio.Response, error) {
		for w.rt.Scheduler().Inbox().Do(func() {}) == nil {
			continue
		}
		_ = client.(*net.TCPConn).CloseWrite()
		go func() {
			_, err := io.Copy(io.Discard, client) // until the server closes the connection
			gone <- err
		}()
		assert.NoError(w, <-gone)
		ended = f.Sleep(time.Minute)
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		var err error
		client, err = net.Dial("tcp", s.address)
		require.NoError(w, err)
		defer func() { _ = client.Close() }()
		_, err = io.WriteString(client, "GET / HTTP/1.1\r\nHost: here\r\n\r\n")
		require.NoError(w, err)
		for ended == nil {
			require.NoError(w, f.Sleep(time.Microsecond))
		}
	})
	assert.ErrorIs(t, ended, fiberio.ErrClientGone)
}
