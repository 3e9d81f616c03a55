package fiberio

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// StreamHandler is a Handler that reads the request's body as it arrives, and may write the
// response in pieces; then it returns nil. If it fails after its first Write, the connection is
// closed, so that the client does not mistake what it has for the whole response.
type StreamHandler func(f *stackful.Fiber, x *Stream) (*Response, error)

// Stream is a request under way: its body can be read, and the response written, until the
// handler returns or the client goes away. Their sizes have no limit, unless the ServerConfig
// sets one. At most 64 kB of either are buffered; beyond that the faster side waits.
type Stream struct {
	Request *http.Request // its Body is empty here

	world   *World
	out     http.ResponseWriter
	control *http.ResponseController
	body    *pacedBody
	in      Reader      // of body
	writing *wait.Mutex // orders the fibers
	written opLock      // orders the operations on the pool

	status int
	// The owner's; the goroutine of net/http reads them after the handler has returned.
	begun  bool // the handler has called Write
	broken bool // a Write has failed
}

var (
	// ErrAnswered is the error of using a Stream after its handler has returned.
	ErrAnswered = errors.New("fiberio: the request has been answered")

	errAnsweredTwice = errors.New("fiberio: the handler has written an answer and returned another: want nil after a Write")
)

// NewStreamServer is NewServer for bodies of any size.
func (w *World) NewStreamServer(h StreamHandler, cfg ServerConfig) *Server {
	s := &Server{world: w, limits: cfg.forStreams()}
	s.setUp(func(out http.ResponseWriter, r *http.Request) { s.stream(h, out, r) })
	return s
}

// stream has a fiber respond to a request. It runs on a goroutine of net/http, and returns only
// when no operation uses net/http's objects any more.
func (s *Server) stream(h StreamHandler, out http.ResponseWriter, r *http.Request) {
	x := s.newStream(out, r)
	if refusal := x.body.tooLarge(r, s.limits.MaxBody); refusal != nil {
		refusal.write(out, r, defaultWriteTimeout)
		return
	}
	written := new(Response) // stands for the response that the handler wrote itself
	answer := s.exchange(r, func(f *stackful.Fiber) (*Response, error) {
		answer, err := h(f, x)
		switch refusal := x.body.refusal(); {
		case err != nil && !x.begun && refusal != nil:
			return refusal, nil // the body is too large; that is no failure of the handler
		case err != nil || !x.begun:
			return answer, err
		case answer != nil:
			return nil, errAnsweredTwice
		}
		return written, nil
	}).await()
	// Operations that the handler's fiber abandoned may still use out and the request's body.
	whole := x.finish()
	if !whole || answer == nil || x.broken || x.begun && answer != written {
		x.body.interrupt()
		panic(http.ErrAbortHandler) // net/http then closes the connection
	}
	if answer != written {
		if !x.body.skip() {
			out.Header().Set("Connection", "close")
		}
		answer.write(out, r, defaultWriteTimeout)
	} else if !x.body.ended() {
		s.closeWhenIdle(r)
	}
}

// newStream makes the Stream of a request. The handler must not read the body through Request,
// which would block the owner, so it gets a copy with an empty body.
func (s *Server) newStream(out http.ResponseWriter, r *http.Request) *Stream {
	quiet := *r
	quiet.Body = http.NoBody
	x := &Stream{Request: &quiet, world: s.world, out: out, control: http.NewResponseController(out), status: http.StatusOK}
	_ = x.control.EnableFullDuplex() // an error is HTTP/2, which always is
	x.body = s.bodyOf(out, x.control, r)
	x.in.open(s.world, x.body, "the body of "+r.Method+" "+r.URL.Path)
	x.writing = wait.NewMutex(wait.HandOver)
	x.writing.SetName("answering " + r.Method + " " + r.URL.Path)
	x.written.setDeadline = x.control.SetWriteDeadline
	return x
}

// finish ends the operations that are running and refuses further ones. What net/http then sends
// or reads has a limit of time. It reports whether no Write was cut off.
func (x *Stream) finish() bool {
	whole := x.written.close(func() { _ = x.control.SetWriteDeadline(past()) })
	x.in.opLock.close(x.body.interrupt)
	x.body.drain()
	if whole {
		_ = x.control.SetWriteDeadline(time.Now().Add(defaultWriteTimeout))
	}
	return whole
}

// Read reads the request's body, as Conn.Read.
func (x *Stream) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return x.in.Read(f, p, deadline)
}

// Header is the response's header; fill it before the first Write.
func (x *Stream) Header() http.Header { return x.out.Header() }

// SetStatus sets the response's status, before the first Write; without it the status is 200. A
// status outside 200–999 becomes 500.
func (x *Stream) SetStatus(status int) { x.status = status }

// Write sends a part of the response and waits until the connection has taken it. It always fails
// when the client is known to have gone away. After an error, or if the fiber gives up, the
// response is cut off. p is copied.
func (x *Stream) Write(f *stackful.Fiber, p []byte, deadline fiber.Time) (n int, err error) {
	// Part of p may have been sent, so the response cannot be completed after an error. This
	// includes a timeout while another fiber writes.
	defer func() { x.broken = x.broken || err != nil }()
	if err := f.LockUntil(x.writing, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(x.writing) }()
	first := !x.begun
	x.begun = true
	p = append([]byte(nil), p...)
	op := &operation{lock: &x.written}
	written, err := x.world.wait(f, doing{"respond to", x.Request.RemoteAddr}, deadline, func(context.Context) (n any, err error) {
		err = op.run(func() error { n, err = x.send(first, p); return err })
		return n, err
	}, op.abort)
	n, _ = written.(int)
	return n, err
}

// send writes p on a worker and flushes it, because a streamed part must not wait in a buffer
// for the next one. The first one sends the head too.
func (x *Stream) send(first bool, p []byte) (int, error) {
	// The system would take some bytes for a connection that the other end has closed.
	if x.Request.Context().Err() != nil {
		return 0, ErrClientGone
	}
	if first {
		x.body.responds()
		x.out.WriteHeader(sendable(x.status))
	}
	n, err := x.out.Write(p)
	if err == nil {
		err = x.control.Flush()
	}
	return n, err
}
