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

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// Handler responds to a request on a fiber of its own, which is cancelled when the client goes
// away. The body has been read. After an error or a panic, which is the fiber's, the client
// gets status 500 without details.
type Handler func(f *stackful.Fiber, r *http.Request, body []byte) (*Response, error)

// Server serves HTTP requests. net/http talks to the clients on goroutines of its own; each
// request becomes a fiber by a command to the scheduler. NewServer makes one.
type Server struct {
	world   *World
	handler Handler
	http    http.Server
	stop    context.CancelFunc // ends every request
	conns   sync.WaitGroup
}

// ErrClientGone is the cause with which a handler is cancelled when its client closes the
// connection, or when the server is closed.
var ErrClientGone = errors.New("fiberio: the client has gone away")

// NewServer makes a server, which starts with Serve. A request's header may have 1 MB and must
// arrive within ten seconds; a body may have Config.MaxBytes.
func (w *World) NewServer(h Handler) *Server {
	s := &Server{world: w, handler: h}
	s.setUp(s.serve)
	return s
}

// setUp is common to both kinds of servers.
func (s *Server) setUp(serve http.HandlerFunc) {
	// Every request's context is derived from this one, so stop cancels all handlers.
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.http = http.Server{
		Handler:           serve,
		ReadHeaderTimeout: headerTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnState:         s.trackConn,
		ErrorLog:          log.New(io.Discard, "", 0), // it reports broken connections, of which the handlers learn
	}
}

// trackConn counts the open connections, so that Serve can wait for their goroutines.
func (s *Server) trackConn(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
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
	_, err := s.world.wait(f, deadline, func(context.Context) (any, error) {
		err := op.run(func() error { return serve(httpListener{l}) })
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
	_, err := s.world.wait(f, deadline, func(ctx context.Context) (any, error) { return nil, s.http.Shutdown(ctx) }, nil)
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
	body, err := bodyOf(out, r, s.world.limit)
	if err != nil {
		status := http.StatusBadRequest
		if errors.As(err, new(*http.MaxBytesError)) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(out, http.StatusText(status), status)
		return
	}
	x := s.exchange(r, func(f *stackful.Fiber) (*Response, error) { return s.handler(f, r, body) })
	answer := x.await()
	if answer == nil {
		panic(http.ErrAbortHandler) // net/http then closes the connection without a response
	}
	answer.write(out, r)
}

// bodyOf reads the body of a request. If its length is known and small, one buffer is enough.
func bodyOf(out http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	const small = 64 << 10 // a longer one is not trusted: memory grows as its bytes arrive
	switch n := r.ContentLength; {
	case n > limit:
		return nil, &http.MaxBytesError{Limit: limit}
	case n >= 0 && n <= small:
		body := make([]byte, n)
		_, err := io.ReadFull(r.Body, body)
		return body, err
	}
	return io.ReadAll(http.MaxBytesReader(out, r.Body, limit))
}

// write sends the response on a goroutine of net/http.
func (a *Response) write(out http.ResponseWriter, r *http.Request) {
	// net/http computes Content-Length from the body, so the handler's value is not sent: a wrong
	// one would make net/http cut the connection, or the client wait for more bytes.
	header := out.Header()
	for name, values := range a.Header {
		header[name] = values
	}
	if r.Method != http.MethodHead && a.Status != http.StatusNotModified { // these two may announce a body that is not sent
		header.Del("Content-Length")
	}
	out.WriteHeader(sendable(a.Status))
	_, _ = out.Write(a.Body) // an error means that the client has gone away
}

// sendable replaces a status with which net/http would panic, or would expect another one.
func sendable(status int) int {
	if status < 200 || status > 999 {
		return http.StatusInternalServerError
	}
	return status
}
