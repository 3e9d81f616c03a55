package fiberio

import (
	"context"
	"errors"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
	"github.com/selvage-dev/selvage/wait"
)

// StreamHandler is a Handler that has the body of the request as it comes, and may give the
// answer in pieces: then it returns nil. A handler that fails after its first Write breaks
// the connection off, so that the client does not take what it has for the whole answer.
type StreamHandler func(f *stackful.Fiber, x *Stream) (*Response, error)

// Stream is a request that is being answered: its body can be read, and the answer written,
// until the handler returns or the client goes away. Nothing of it has a limit in all, and
// no more than 64 kB of it are in memory: whoever is faster waits.
type Stream struct {
	Request *http.Request // its Body is empty here

	world   *World
	out     http.ResponseWriter
	control *http.ResponseController
	in      Reader
	writing *wait.Mutex // of the fibers
	written lane        // of the operations

	status int
	begun  bool // with the answer
	broken bool // a piece of it has not been sent, or not all of it
}

var (
	// ErrAnswered is what a Stream says that is over.
	ErrAnswered = errors.New("fiberio: the request has been answered")

	errAnsweredTwice = errors.New("fiberio: the handler has written an answer and returned another: want nil after a Write")
)

// NewStreamServer is NewServer for bodies of any size.
func (w *World) NewStreamServer(h StreamHandler) *Server {
	s := &Server{world: w}
	s.speak(func(out http.ResponseWriter, r *http.Request) { s.stream(h, out, r) })
	return s
}

// stream has a fiber answer. It runs on a goroutine of net/http, which may end when no
// operation uses its objects any more.
func (s *Server) stream(h StreamHandler, out http.ResponseWriter, r *http.Request) {
	x := s.world.newStream(out, r)
	written := new(Response) // stands for what the handler has written
	answer := s.exchange(r, func(f *stackful.Fiber) (*Response, error) {
		answer, err := h(f, x)
		switch {
		case err != nil || !x.begun:
			return answer, err
		case answer != nil:
			return nil, errAnsweredTwice
		}
		return written, nil
	}).await()
	whole := x.over()
	if !whole || answer == nil || x.broken || x.begun && answer != written {
		panic(http.ErrAbortHandler) // how net/http is told to break off
	}
	if answer != written {
		answer.write(out, r)
	}
}

func (w *World) newStream(out http.ResponseWriter, r *http.Request) *Stream {
	quiet := *r
	quiet.Body = http.NoBody
	x := &Stream{Request: &quiet, world: w, out: out, control: http.NewResponseController(out), status: http.StatusOK}
	_ = x.control.EnableFullDuplex() // HTTP/2 is without asking
	x.in.open(w, r.Body, "the body of "+r.Method+" "+r.URL.Path)
	x.writing = wait.NewMutex(wait.HandOn)
	x.writing.SetName("answering " + r.Method + " " + r.URL.Path)
	x.written.setDeadline = x.control.SetWriteDeadline
	return x
}

// over ends what is under way, and keeps all else out. It tells whether no piece of the
// answer was broken off.
func (x *Stream) over() bool {
	whole := x.written.shut(func() { _ = x.control.SetWriteDeadline(past()) })
	if !x.in.lane.shut(func() { _ = x.control.SetReadDeadline(past()) }) {
		x.out.Header().Set("Connection", "close") // nobody knows what the rest of the body is
	}
	return whole
}

// Read is Conn.Read of the body of the request.
func (x *Stream) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (int, error) {
	return x.in.Read(f, p, deadline)
}

// Header is that of the answer, to be filled before the first Write.
func (x *Stream) Header() http.Header { return x.out.Header() }

// SetStatus is for before the first Write; it is 200 otherwise. One that is not from 200 to
// 999 becomes 500.
func (x *Stream) SetStatus(status int) { x.status = status }

// Write sends a piece of the answer, and waits until the connection has taken it. If it
// fails, and if its fiber gives up, the answer is broken off. p is copied.
func (x *Stream) Write(f *stackful.Fiber, p []byte, deadline fiber.Time) (n int, err error) {
	defer func() { x.broken = x.broken || err != nil }()
	if err := f.LockUntil(x.writing, deadline); err != nil {
		return 0, err
	}
	defer func() { _ = f.Unlock(x.writing) }()
	first := !x.begun
	x.begun = true
	p = append([]byte(nil), p...)
	pass := &passage{lane: &x.written}
	written, err := x.world.wait(f, deadline, func(context.Context) (n any, err error) {
		err = pass.through(func() error { n, err = x.send(first, p); return err })
		return n, err
	}, pass.abort)
	n, _ = written.(int)
	return n, err
}

func (x *Stream) send(first bool, p []byte) (int, error) {
	if first {
		x.out.WriteHeader(sendable(x.status))
	}
	n, err := x.out.Write(p)
	if err == nil {
		err = x.control.Flush()
	}
	return n, err
}
