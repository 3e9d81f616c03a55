package fiberio_test

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/fiberio"
	"github.com/selvage-dev/selvage/stackful"
)

// A server with its most connections accepts none, until one has been closed.
func TestAServerAcceptsNoMoreThanMaxConnections(t *testing.T) {
	kinds := map[string]func(w *fixture, cfg fiberio.ServerConfig) *fiberio.Server{
		"bodies": func(w *fixture, cfg fiberio.ServerConfig) *fiberio.Server { return w.world.NewServer(echo, cfg) },
		"streams": func(w *fixture, cfg fiberio.ServerConfig) *fiberio.Server {
			return w.world.NewStreamServer(readWhole, cfg)
		},
	}
	ends := map[string]struct {
		free    func(conns []net.Conn)
		accepts int // one of them waits for a client if a place is free
	}{
		"a client that closes":   {func(conns []net.Conn) { _ = conns[0].Close() }, 4},
		"two clients that close": {func(conns []net.Conn) { _, _ = conns[2].Close(), conns[0].Close() }, 5},
		"a client that is silent": {func(conns []net.Conn) { // the server closes it after ReadHeaderTimeout
			for _, c := range conns {
				_ = response(t, c)
			}
		}, 5},
	}
	for kind, server := range kinds {
		for name, end := range ends {
			t.Run(kind+", "+name, func(t *testing.T) {
				inBubble(t, func(w *fixture) {
					w.serving(server(w, fiberio.ServerConfig{MaxConnections: 3}), func(l *pipes) {
						conns, more := []net.Conn{l.dial(), l.dial(), l.dial()}, make(chan net.Conn, 1)
						go func() { more <- l.dial() }()
						synctest.Wait()
						assert.Empty(t, more, "a connection more than MaxConnections")
						assert.Equal(t, 3, l.accepted())
						end.free(conns)
						c := <-more
						synctest.Wait()
						assert.Equal(t, end.accepts, l.accepted())
						for _, c := range append(conns, c) {
							_ = c.Close()
						}
					})
				})
			})
		}
	}
}

// Without a limit in the configuration there are the default, and none.
func TestAServerHasADefaultOfMaxConnections(t *testing.T) {
	for limit, want := range map[int64]int{0: fiberio.DefaultMaxConnections, -1: fiberio.DefaultMaxConnections + 1, 1: 1} {
		inBubble(t, func(w *fixture) {
			server := w.world.NewServer(echo, fiberio.ServerConfig{MaxConnections: limit, ReadHeaderTimeout: -1})
			w.serving(server, func(l *pipes) {
				conns := make(chan net.Conn, fiberio.DefaultMaxConnections+1)
				gone := make(chan struct{})
				go func() {
					defer close(gone)
					for range cap(conns) {
						client, server := net.Pipe()
						select {
						case l.conns <- server:
							conns <- client
						case <-l.closed:
							return
						}
					}
				}()
				synctest.Wait()
				assert.Len(t, conns, want)
				server.Close()
				<-gone
				close(conns)
				for c := range conns {
					_ = c.Close()
				}
			})
		})
	}
}

// A server that is full ends as any other: at once. A listener that its owner closes is an error, as in net/http.
func TestAFullServerCanBeEnded(t *testing.T) {
	type ending func(w *fixture, f *stackful.Fiber, s *fiberio.Server, l *fiberio.Listener)
	for name, c := range map[string]struct {
		end    ending
		served error
	}{
		"close": {func(_ *fixture, _ *stackful.Fiber, s *fiberio.Server, _ *fiberio.Listener) { s.Close() }, nil},
		"shutdown": {func(w *fixture, f *stackful.Fiber, s *fiberio.Server, _ *fiberio.Listener) {
			assert.NoError(w, s.Shutdown(f, fiber.Never))
		}, nil},
		"listener": {func(w *fixture, f *stackful.Fiber, s *fiberio.Server, l *fiberio.Listener) {
			_ = l.Close()
			assert.NoError(w, f.Sleep(time.Second)) // of the bubble: the server has seen it
			s.Close()
		}, net.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(w *fixture) {
				server, p := w.world.NewServer(echo, fiberio.ServerConfig{MaxConnections: 1, ReadHeaderTimeout: time.Minute}), newPipes()
				l, err := fiberio.ListenOn(w.world, p)
				assert.NoError(t, err)
				w.fiber("serving", func(f *stackful.Fiber) error {
					assert.ErrorIs(t, server.Serve(f, l, fiber.Never), c.served)
					return nil
				})
				w.fiber("end", func(f *stackful.Fiber) error {
					w.dialed(p)
					if err := f.Sleep(time.Second); err != nil { // of the bubble: it has accepted
						return err
					}
					c.end(w, f, server, l)
					return nil
				})
				w.run()
			})
		})
	}
}
