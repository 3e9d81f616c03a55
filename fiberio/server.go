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

// Handler answers a request, on a fiber of its own that is cancelled when the client goes
// away. The body has been read. An error, or a panic, is the fiber's, and the client is
// told 500 without details.
type Handler func(f *stackful.Fiber, r *http.Request, body []byte) (*Response, error)

// Server answers HTTP requests. net/http speaks with the clients, on its goroutines; each
// request becomes a fiber by a command to the scheduler. Make one with NewServer.
type Server struct {
	world   *World
	handler Handler
	http    http.Server
	stop    context.CancelFunc // ends every request
	conns   sync.WaitGroup
}

// ErrClientGone is the cause of the cancellation of a handler nobody waits for: the client
// closed its connection, or the server is closed.
var ErrClientGone = errors.New("fiberio: the client has gone away")

// NewServer makes a server that does nothing until Serve. A header may have 1 MB and must
// be there within ten seconds; a body may have Config.MaxBytes.
func (w *World) NewServer(h Handler) *Server {
	s := &Server{world: w, handler: h}
	s.speak(s.serve)
	return s
}

// speak is what the two kinds of servers have in common.
func (s *Server) speak(serve http.HandlerFunc) {
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.http = http.Server{
		Handler:           serve,
		ReadHeaderTimeout: headerWithin,
		MaxHeaderBytes:    mostHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnState:         s.count,
		ErrorLog:          log.New(io.Discard, "", 0), // of clients that break off: theirs to know
	}
}

// count keeps the connections that are open, to wait for their goroutines.
func (s *Server) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.conns.Done()
	}
}

// Serve answers the clients that come to l, which it closes in the end, until Shutdown or
// Close: then it returns nil. At the deadline, and if its fiber is cancelled or killed, it
// closes the server.
func (s *Server) Serve(f *stackful.Fiber, l *Listener, deadline fiber.Time) error {
	return s.serveBy(f, l, deadline, s.http.Serve)
}

// ServeTLS is Serve for https, and HTTP/2. The configuration has a certificate.
func (s *Server) ServeTLS(f *stackful.Fiber, l *Listener, cfg *tls.Config, deadline fiber.Time) error {
	s.http.TLSConfig = cfg.Clone()
	return s.serveBy(f, l, deadline, func(l net.Listener) error { return s.http.ServeTLS(l, "", "") })
}

func (s *Server) serveBy(f *stackful.Fiber, l *Listener, deadline fiber.Time, serve func(net.Listener) error) error {
	defer func() { _ = l.Close() }() // net/http does it only if it came to serve
	if err := f.LockUntil(l.accepting, deadline); err != nil {
		s.Close()
		return err
	}
	defer func() { _ = f.Unlock(l.accepting) }()
	pass := &passage{lane: &l.door} // an Accept that gave up may have left its deadline there
	_, err := s.world.wait(f, deadline, func(context.Context) (any, error) {
		err := pass.through(func() error { return serve(everyone{l}) })
		s.conns.Wait()
		return nil, err
	}, s.Close)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Shutdown lets nobody in any more, waits until the requests that are under way have been
// answered, and closes. At the deadline it closes at once and returns
// stackful.ErrTimeout; *stackful.Interrupt likewise.
func (s *Server) Shutdown(f *stackful.Fiber, deadline fiber.Time) error {
	_, err := s.world.wait(f, deadline, func(ctx context.Context) (any, error) { return nil, s.http.Shutdown(ctx) }, nil)
	s.Close()
	return err
}

// Close closes the port and every connection; handlers are cancelled. It does not wait:
// Serve does.
func (s *Server) Close() {
	s.stop()
	_ = s.http.Close()
}

// serve has a fiber answer. It runs on a goroutine of net/http.
func (s *Server) serve(out http.ResponseWriter, r *http.Request) {
	body, err := bodyOf(out, r, s.world.most)
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
		panic(http.ErrAbortHandler) // how net/http is told to close the connection without an answer
	}
	answer.write(out, r)
}

// bodyOf reads the body of a request. Most say how long it is: a small one is read without
// growing.
func bodyOf(out http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	const small = 64 << 10 // who says more has to send it first
	switch n := r.ContentLength; {
	case n > most:
		return nil, &http.MaxBytesError{Limit: most}
	case n >= 0 && n <= small:
		body := make([]byte, n)
		_, err := io.ReadFull(r.Body, body)
		return body, err
	}
	return io.ReadAll(http.MaxBytesReader(out, r.Body, most))
}

func (a *Response) write(out http.ResponseWriter, r *http.Request) {
	header := out.Header()
	for name, values := range a.Header {
		header[name] = values
	}
	if r.Method != http.MethodHead && a.Status != http.StatusNotModified { // which may tell of a body that is not sent
		header.Del("Content-Length") // it is that of the body, whatever the handler says
	}
	out.WriteHeader(sendable(a.Status))
	_, _ = out.Write(a.Body) // the client may be gone
}

// sendable is a status that net/http neither panics about nor waits for more after.
func sendable(status int) int {
	if status < 200 || status > 999 {
		return http.StatusInternalServerError
	}
	return status
}
