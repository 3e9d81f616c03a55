package fiberio

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/scheduler"
	"github.com/selvage-dev/selvage/stackful"
)

// Handler responds to a request on a fiber of its own, which is cancelled when the client goes
// away. The body has been read, and belongs to the handler. If the handler fails or panics, the
// fiber ends with that error, and the client gets status 500 without details.
type Handler func(f *stackful.Fiber, r *http.Request, body []byte) (*Response, error)

// Server serves HTTP requests. net/http talks to the clients on goroutines of its own; each
// request becomes a fiber by a command to the scheduler. NewServer makes one.
type Server struct {
	world   *World
	group   *scheduler.Group // of the fiber that made it: the fibers of requests count to it
	limits  ServerConfig
	room    *bodyRoom // nil if the handlers read the bodies
	handler Handler
	http    http.Server
	stop    context.CancelFunc // ends every request
	places  places             // of connections
	conns   sync.WaitGroup

	mu      sync.Mutex
	closing map[net.Conn]struct{} // connections to be closed at the end of their request
}

// ErrClientGone is the cause with which a handler is cancelled when its client closes the
// connection, or when the server is closed.
var ErrClientGone = errors.New("fiberio: the client has gone away")

// NewServer makes a server, which starts with Serve. A request's header may have 1 MB; the
// configuration has the other limits.
func (w *World) NewServer(h Handler, cfg ServerConfig) *Server {
	s := &Server{world: w, handler: h, limits: cfg.forBodies(w.limit)}
	s.room = newBodyRoom(s.limits)
	s.setUp(s.serve)
	return s
}

// setUp is common to both kinds of servers.
func (s *Server) setUp(serve http.HandlerFunc) {
	// Every request's context is derived from this one, so stop cancels all handlers.
	ctx, stop := context.WithCancel(context.Background())
	sched := s.world.rt.Scheduler()
	s.group = sched.Inspect().Group(sched.Current())
	s.stop, s.places = stop, newPlaces(s.limits.MaxConnections)
	s.http = http.Server{
		Handler:           serve,
		ReadHeaderTimeout: s.limits.ReadHeaderTimeout,
		IdleTimeout:       s.limits.IdleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ConnState:         s.trackConn,
		ErrorLog:          log.New(io.Discard, "", 0), // it reports broken connections, of which the handlers learn
	}
}

// trackConn counts the open connections, so that Serve can wait for their goroutines, and frees the
// place of one that is closed. It clears the deadline of a response that has been sent.
func (s *Server) trackConn(c net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateIdle:
		_ = c.SetWriteDeadline(time.Time{}) // if this fails, so does the next response
		if s.room == nil && s.takeClosing(c) {
			_ = c.Close()
		}
	case http.StateClosed, http.StateHijacked:
		s.takeClosing(c) // so that the set does not grow
		s.places.free()
		s.conns.Done()
	}
}

// connKey finds the connection in the context of a request.
type connKey struct{}

// closeWhenIdle closes the connection of a request of HTTP/1 when the response has been sent. What
// the handler has not read of its body would be taken for the next request, and the head of the
// response, which could say that, has been sent already.
func (s *Server) closeWhenIdle(r *http.Request) {
	if c, ok := r.Context().Value(connKey{}).(net.Conn); ok && r.ProtoMajor == 1 {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closing == nil {
			s.closing = map[net.Conn]struct{}{}
		}
		s.closing[c] = struct{}{}
	}
}

// takeClosing reports whether closeWhenIdle has been called for the connection.
func (s *Server) takeClosing(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, found := s.closing[c]
	delete(s.closing, c)
	return found
}

// Serve serves the clients of l until Shutdown or Close, closes l, and returns nil. At the
// deadline, and if its fiber is cancelled or killed, it closes the server and returns an error.
func (s *Server) Serve(f *stackful.Fiber, l *Listener, deadline fiber.Time) error {
	return s.serveBy(f, l, deadline, s.http.Serve)
}

// ServeTLS is Serve for https and HTTP/2. The configuration must have a certificate.
func (s *Server) ServeTLS(f *stackful.Fiber, l *Listener, cfg *tls.Config, deadline fiber.Time) error {
	s.http.TLSConfig = cfg.Clone()
	return s.serveBy(f, l, deadline, func(l net.Listener) error { return s.http.ServeTLS(l, "", "") })
}

// serveBy runs net/http's accept loop as one operation of the fiber. It holds the listener's lock,
// so that no Accept competes with it.
func (s *Server) serveBy(f *stackful.Fiber, l *Listener, deadline fiber.Time, serve func(net.Listener) error) error {
	defer func() { _ = l.Close() }() // net/http closes it only if it has begun to serve
	if err := f.LockUntil(l.accepting, deadline); err != nil {
		s.Close()
		return err
	}
	defer func() { _ = f.Unlock(l.accepting) }()
	op := &operation{lock: &l.accepts} // clears the deadline that an aborted Accept may have left
	_, err := s.world.wait(f, doing{"serve on", l.name}, deadline, func(context.Context) (any, error) {
		err := op.run(func() error { return serve(httpListener{l, s.places}) })
		s.conns.Wait() // Close and Shutdown do not wait for net/http's goroutines
		return nil, err
	}, s.Close)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Shutdown accepts no more clients, waits until all requests under way have been responded to, and
// closes the server. At the deadline, and if its fiber is cancelled or killed, it closes the
// server at once and returns stackful.ErrTimeout or a *stackful.Interrupt.
func (s *Server) Shutdown(f *stackful.Fiber, deadline fiber.Time) error {
	_, err := s.world.wait(f, doing{"shut down the server", ""}, deadline, func(ctx context.Context) (any, error) { return nil, s.http.Shutdown(ctx) }, nil)
	s.Close()
	return err
}

// Close closes the port and every connection, and cancels the handlers. It does not wait; Serve
// waits for them.
func (s *Server) Close() {
	s.stop()
	_ = s.http.Close()
}

// serve has a fiber respond to a request. It runs on a goroutine of net/http.
func (s *Server) serve(out http.ResponseWriter, r *http.Request) {
	body, memory, refusal := s.readBody(out, r)
	if refusal != nil {
		refusal.write(out, r, s.limits.WriteTimeout)
		return
	}
	x := s.exchange(r, func(f *stackful.Fiber) (*Response, error) { return s.handler(f, r, body) })
	x.memory = memory
	answer := x.await()
	if answer == nil {
		panic(http.ErrAbortHandler) // net/http then closes the connection without a response
	}
	answer.write(out, r, s.limits.WriteTimeout)
}
