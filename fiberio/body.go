package fiberio

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/selvage-dev/selvage/fiber"
	"github.com/selvage-dev/selvage/stackful"
)

// Answer is the head of an HTTP response, with a body that is read as it arrives.
type Answer struct {
	Status int
	Header http.Header
	Body   *Body
}

// Body is the body of an Answer. It belongs to the fiber that made the request, and is closed
// when that fiber ends; other fibers may read it too. At most 64 kB are buffered: beyond that
// the server is held back.
type Body struct {
	in     Reader
	name   string
	closer *bodyCloser
}

// bodyCloser is owned by a fiber through the scheduler, and closes the body when it dies.
type bodyCloser struct {
	stop   context.CancelFunc
	closed bool
}

// OwnerDied is called by the scheduler.
func (e *bodyCloser) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	e.closed = true
	e.stop()
	return dst
}

// Request sends an HTTP request and waits for the head of the response, with any status;
// redirects are followed. Close the body when it is not needed any more. If it was read to
// io.EOF before, its connection is kept for the next request. The error is a *url.Error, which
// names the URL.
func (w *World) Request(f *stackful.Fiber, r *http.Request, deadline fiber.Time) (*Answer, error) {
	// Two contexts: that of the operation ends when this call returns, and the body must live on.
	// While the operation runs, its end cancels the request too.
	ctx, end := context.WithCancel(w.ctx)
	p := &handover[*http.Response]{discard: func(*http.Response) { end() }}
	defer p.decline()
	_, err := w.wait(f, doing{"request", r.URL.Redacted()}, deadline, func(asked context.Context) (any, error) {
		defer context.AfterFunc(asked, end)()
		answer, err := w.client.Do(r.WithContext(ctx))
		if err == nil {
			p.deliver(answer)
		}
		return nil, err
	}, nil)
	if err != nil {
		end()
		return nil, err
	}
	answer := p.take()
	b := &Body{name: r.URL.String(), closer: &bodyCloser{stop: end}}
	b.in.open(w, bodyReader{answer.Body, r.URL}, b.name)
	// From here on the fiber's death closes the body, so that no connection is leaked.
	w.rt.Scheduler().Attachments().Own(b.closer)
	return &Answer{Status: answer.StatusCode, Header: answer.Header, Body: b}, nil
}

// Read is Conn.Read. After a Close the error is net.ErrClosed.
func (b *Body) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (n int, err error) {
	if !b.closer.closed {
		n, err = b.in.Read(f, p, deadline)
	}
	// A Close during the read cancels the request; the error is then that of net/http's context.
	var stopped *stackful.Interrupt
	if b.closer.closed && !errors.As(err, &stopped) {
		return 0, fmt.Errorf("read %s: %w", b.name, net.ErrClosed)
	}
	return n, err
}

// Close drops what has not been read. A fiber that waits in Read gets net.ErrClosed. Close does
// not wait, and is for the fiber that made the request; a second Close does nothing.
func (b *Body) Close(f *stackful.Fiber) {
	b.closer.closed = true
	b.closer.stop()
	f.Runtime().Scheduler().Attachments().Disown(b.closer)
}
