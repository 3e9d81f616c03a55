package fiberio_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// site is a running server, for the fiber that tests it.
type site struct {
	*fixture
	server  *fiberio.Server
	url     string
	address string
	serving *stackful.Task
}

// serve is serveDuring for a Handler.
func (w *fixture) serve(h fiberio.Handler, visit func(f *stackful.Fiber, s *site)) {
	w.Helper()
	w.serveDuring(w.world.NewServer(h, fiberio.ServerConfig{}), visit)
}

// serveDuring runs a server while the visit function runs.
func (w *fixture) serveDuring(server *fiberio.Server, visit func(f *stackful.Fiber, s *site)) {
	w.Helper()
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		s := &site{fixture: w, server: server, address: l.Addr().String()}
		s.url = "http://" + s.address
		s.serving = w.fiber("serving", func(f *stackful.Fiber) error { return s.server.Serve(f, l, fiber.Never) })
		visit(f, s)
		s.server.Close()
		_, err = f.Join(s.serving)
		assert.NoError(w, err)
	})
}

func (s *site) get(f *stackful.Fiber, path string) (*fiberio.Response, error) {
	r, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	require.NoError(s, err)
	return s.world.Fetch(f, r, fiber.Never)
}

func text(status int, body string) *fiberio.Response {
	return &fiberio.Response{Status: status, Body: []byte(body)}
}

func TestRequestsAreAnsweredByFibers(t *testing.T) {
	w := newFixture(t, fiberio.Config{MaxBytes: 1000})
	w.serve(func(f *stackful.Fiber, r *http.Request, body []byte) (*fiberio.Response, error) {
		switch r.URL.Path {
		case "/echo":
			a := text(http.StatusTeapot, r.Method+" "+string(body))
			a.Header = http.Header{"X-Mark": {"1"}}
			return a, f.Sleep(time.Microsecond)
		case "/fails":
			return nil, fmt.Errorf("the secret reason")
		case "/panics":
			panic("the secret reason")
		case "/nonsense":
			return text(7, ""), nil
		}
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		r, _ := http.NewRequest(http.MethodPost, s.url+"/echo", bytes.NewReader([]byte("body")))
		got, err := s.world.Fetch(f, r, fiber.Never)
		require.NoError(s, err)
		assert.Equal(s, "418 POST body 1", fmt.Sprint(got.Status, " ", string(got.Body), " ", got.Header.Get("X-Mark")))
		for path, status := range map[string]int{"/": 204, "/fails": 500, "/panics": 500, "/nonsense": 500} {
			got, err := s.get(f, path)
			require.NoError(s, err)
			assert.Equal(s, status, got.Status, path)
			assert.NotContains(s, string(got.Body), "secret")
		}
		r, _ = http.NewRequest(http.MethodPost, s.url+"/echo", bytes.NewReader(make([]byte, 1001)))
		got, err = s.world.Fetch(f, r, fiber.Never)
		require.NoError(s, err)
		assert.Equal(s, http.StatusRequestEntityTooLarge, got.Status)
	})
}

// Each client keeps its connection open between its requests.
func TestAThousandKeepAliveClients(t *testing.T) {
	const clients, rounds = 1000, 3
	w := newFixture(t, fiberio.Config{})
	w.serve(func(f *stackful.Fiber, r *http.Request, _ []byte) (*fiberio.Response, error) {
		return text(200, r.URL.Path), f.Yield()
	}, func(f *stackful.Fiber, s *site) {
		var all []*stackful.Task
		for n := range clients {
			all = append(all, w.fiber("client", func(f *stackful.Fiber) error {
				c, err := w.world.Dial(f, "tcp", s.address, fiber.Never)
				if err != nil {
					return err
				}
				defer func() { _ = c.Close() }()
				for round := range rounds {
					path := fmt.Sprintf("/%d/%d", n, round)
					if _, err := c.WriteString(f, "GET "+path+" HTTP/1.1\r\nHost: here\r\n\r\n", fiber.Never); err != nil {
						return err
					}
					answer, err := untilSuffix(f, c, path)
					assert.Contains(w, answer, "200 OK")
					if err != nil {
						return err
					}
				}
				return nil
			}))
		}
		for _, task := range all {
			_, err := f.Join(task)
			require.NoError(w, err)
		}
	})
}

// untilSuffix reads until the bytes end with the suffix.
func untilSuffix(f *stackful.Fiber, c *fiberio.Conn, suffix string) (string, error) {
	var got []byte
	buf := make([]byte, 512)
	for !bytes.HasSuffix(got, []byte(suffix)) {
		n, err := c.Read(f, buf, fiber.Never)
		if err != nil {
			return string(got), err
		}
		got = append(got, buf[:n]...)
	}
	return string(got), nil
}

func TestTheHandlerOfADisconnectedClientIsCancelled(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	began, ended := make(chan struct{}, 1), false
	w.serve(func(f *stackful.Fiber, _ *http.Request, _ []byte) (*fiberio.Response, error) {
		began <- struct{}{}
		err := f.Sleep(time.Hour)
		assert.ErrorIs(w, err, fiberio.ErrClientGone)
		ended = true
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		c, err := w.world.Dial(f, "tcp", s.address, fiber.Never)
		require.NoError(w, err)
		_, err = c.WriteString(f, "GET / HTTP/1.1\r\nHost: here\r\n\r\n", fiber.Never)
		require.NoError(w, err)
		_, err = fiberio.Do(w.world, f, fiber.Never, received(began))
		require.NoError(w, err)
		_ = c.Close()
		for !ended {
			require.NoError(w, f.Sleep(time.Microsecond))
		}
	})
}

// Server and client both refuse a header at the limit of its size.
func TestAnEndlessHeaderIsRefused(t *testing.T) {
	line := append(bytes.Repeat([]byte("x"), 64<<10), "\r\n"...)
	w := newFixture(t, fiberio.Config{})
	w.serve(func(*stackful.Fiber, *http.Request, []byte) (*fiberio.Response, error) {
		w.Error("a request without an end was handled")
		return nil, nil
	}, func(f *stackful.Fiber, s *site) {
		c, err := w.world.Dial(f, "tcp", s.address, fiber.Never)
		require.NoError(w, err)
		_, err = c.WriteString(f, "GET / HTTP/1.1\r\nHost: here\r\n", fiber.Never)
		sent := 0
		for ; err == nil && sent < 1<<30; sent += len(line) {
			_, err = c.Write(f, append([]byte("X-Long: "), line...), fiber.Never)
		}
		assert.Error(w, err, "a gigabyte was taken")
		assert.Less(w, sent, 64<<20)
		_ = c.Close()

		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		endless := w.fiber("endless server", func(f *stackful.Fiber) error {
			c, err := l.Accept(f, fiber.Never)
			if err != nil {
				return err
			}
			defer func() { _ = c.Close() }()
			if _, err = c.Read(f, make([]byte, 4096), fiber.Never); err != nil {
				return err // a response before the request is a different error
			}
			_, err = c.WriteString(f, "HTTP/1.1 200 OK\r\n", fiber.Never)
			for sent := 0; err == nil && sent < 1<<30; sent += len(line) {
				_, err = c.Write(f, append([]byte("X-Long: "), line...), fiber.Never)
			}
			assert.Error(w, err, "a gigabyte was taken")
			return nil
		})
		r, _ := http.NewRequest(http.MethodGet, "http://"+l.Addr().String(), nil)
		_, err = w.world.Fetch(f, r, fiber.Never)
		assert.ErrorContains(w, err, "headers exceeded")
		_, err = f.Join(endless)
		assert.NoError(w, err)
		_ = l.Close()
	})
}

func TestShutdownFinishesRequestsAndAcceptsNoMore(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	began := make(chan struct{}, 1)
	open := false
	w.serve(func(f *stackful.Fiber, _ *http.Request, _ []byte) (*fiberio.Response, error) {
		began <- struct{}{}
		for !open {
			if err := f.Sleep(time.Microsecond); err != nil {
				return nil, err
			}
		}
		return text(200, "done"), nil
	}, func(f *stackful.Fiber, s *site) {
		client := w.fiber("client", func(f *stackful.Fiber) error {
			got, err := s.get(f, "/")
			if err == nil {
				assert.Equal(w, "done", string(got.Body))
			}
			return err
		})
		_, err := fiberio.Do(w.world, f, fiber.Never, received(began))
		require.NoError(w, err)
		down := w.fiber("shutdown", func(f *stackful.Fiber) error { return s.server.Shutdown(f, fiber.Never) })
		for err == nil { // until the port is closed
			var c *fiberio.Conn
			if c, err = w.world.Dial(f, "tcp", s.address, fiber.Never); err == nil {
				_ = c.Close()
			}
		}
		open = true
		_, err = f.Join(client)
		assert.NoError(w, err)
		_, err = f.Join(down)
		assert.NoError(w, err)
	})
}

func TestShutdownHasADeadline(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	began := make(chan struct{}, 1)
	w.serve(func(f *stackful.Fiber, _ *http.Request, _ []byte) (*fiberio.Response, error) {
		began <- struct{}{}
		return nil, f.Sleep(time.Hour)
	}, func(f *stackful.Fiber, s *site) {
		client := w.fiber("client", func(f *stackful.Fiber) error {
			_, err := s.get(f, "/")
			assert.Error(w, err)
			return nil
		})
		_, err := fiberio.Do(w.world, f, fiber.Never, received(began))
		require.NoError(w, err)
		assert.ErrorIs(w, s.server.Shutdown(f, f.Within(time.Millisecond)), stackful.ErrTimeout)
		_, err = f.Join(client)
		assert.NoError(w, err)
	})
}

func TestACancelOfServeClosesTheServer(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		server := w.world.NewServer(func(*stackful.Fiber, *http.Request, []byte) (*fiberio.Response, error) { return nil, nil }, fiberio.ServerConfig{})
		serving := w.fiber("serving", func(f *stackful.Fiber) error {
			var stopped *stackful.Interrupt
			assert.ErrorAs(w, server.Serve(f, l, fiber.Never), &stopped)
			return nil
		})
		c, err := w.world.Dial(f, "tcp", l.Addr().String(), fiber.Never)
		require.NoError(w, err)
		require.NoError(w, w.rt.Scheduler().Cancel(serving.ID(), nil))
		_, err = c.Read(f, make([]byte, 1), fiber.Never)
		assert.Error(w, err)
		_ = c.Close()
	})
}

func TestServeClosesItsPortThoughItNeverBegan(t *testing.T) {
	for name, end := range map[string]func(f *stackful.Fiber) error{
		"cancelled": func(f *stackful.Fiber) error { return f.Runtime().Scheduler().Cancel(f.ID(), nil) },
		"killed":    func(f *stackful.Fiber) error { return f.Runtime().Scheduler().Kill(f.ID(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newFixture(t, fiberio.Config{})
			var address string
			w.alone(func(f *stackful.Fiber) {
				l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
				require.NoError(t, err)
				address = l.Addr().String()
				require.NoError(t, end(f))
				err = w.world.NewServer(nil, fiberio.ServerConfig{}).Serve(f, l, fiber.Never)
				assert.ErrorAs(t, err, new(*stackful.Interrupt))
			})
			_, err := net.Dial("tcp", address)
			assert.Error(t, err, "the port is open")
		})
	}
}

func TestServeWorksAfterAnAbandonedAccept(t *testing.T) {
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		l, err := w.world.Listen(f, "tcp", "127.0.0.1:0", fiber.Never)
		require.NoError(w, err)
		waiter := w.fiber("waiter", func(f *stackful.Fiber) error {
			_, err := l.Accept(f, fiber.Never)
			assert.ErrorAs(w, err, new(*stackful.Interrupt))
			return nil
		})
		for !fiberio.Accepting(l) {
			require.NoError(w, f.Sleep(time.Microsecond))
		}
		require.NoError(w, w.rt.Scheduler().Cancel(waiter.ID(), nil))
		w.settled(f)

		server := w.world.NewServer(func(*stackful.Fiber, *http.Request, []byte) (*fiberio.Response, error) { return text(200, "here"), nil }, fiberio.ServerConfig{})
		serving := w.fiber("serving", func(f *stackful.Fiber) error { return server.Serve(f, l, fiber.Never) })
		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String(), nil)
		require.NoError(w, err)
		answer, err := w.world.Fetch(f, r, f.Within(30*time.Second))
		require.NoError(w, err)
		assert.Equal(w, "here", string(answer.Body))
		server.Close()
		_, err = f.Join(serving)
		assert.NoError(w, err)
	})
}

// The server is not part of the World; it reads io.EOF on the idle connection.
func TestWorldCloseClosesIdleClientConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- answerOnce(l) }()
	t.Cleanup(func() { // runs after the fixture's cleanup, which closes the World
		assert.ErrorIs(t, <-ended, io.EOF)
		_ = l.Close()
	})
	w := newFixture(t, fiberio.Config{})
	w.alone(func(f *stackful.Fiber) {
		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String(), nil)
		require.NoError(w, err)
		got, err := w.world.Fetch(f, r, fiber.Never)
		require.NoError(w, err)
		assert.Equal(w, 200, got.Status)
	})
}

// answerOnce responds to one request and goes on reading.
func answerOnce(l net.Listener) error {
	c, err := l.Accept()
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	in := bufio.NewReader(c)
	if _, err := http.ReadRequest(in); err != nil {
		return err
	}
	if _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"); err != nil {
		return err
	}
	_, err = in.ReadByte()
	return err
}
