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

// Answer is what a server has answered, up to the body, which is read as it comes.
type Answer struct {
	Status int
	Header http.Header
	Body   *Body
}

// Body is that of an Answer. It belongs to the fiber that made the request, and is closed
// when that fiber ends; others may read it meanwhile. At most 64 kB are in memory that nobody
// has read: beyond that the server waits.
type Body struct {
	in   Reader
	name string
	hook *ending
}

// ending is what closes a body; its owner's death does.
type ending struct {
	stop   context.CancelFunc
	closed bool
}

// OwnerDied is for the scheduler.
func (e *ending) OwnerDied(_ fiber.ID, dst []fiber.Wakeup) []fiber.Wakeup {
	e.closed = true
	e.stop()
	return dst
}

// Request sends an HTTP request and waits for the head of the answer, whatever its status;
// redirections are followed. Close the body when no more of it is wanted, or read it to
// io.EOF and close it: then its connection is kept for the next request. The error is
// *url.Error, which names the URL.
func (w *World) Request(f *stackful.Fiber, r *http.Request, deadline fiber.Time) (*Answer, error) {
	ctx, end := context.WithCancel(w.open)
	p := &parcel[*http.Response]{unclaim: func(*http.Response) { end() }}
	defer p.refuse()
	_, err := w.wait(f, deadline, func(asked context.Context) (any, error) {
		defer context.AfterFunc(asked, end)()
		answer, err := w.client.Do(r.WithContext(ctx))
		if err == nil {
			p.bring(answer)
		}
		return nil, err
	}, nil)
	if err != nil {
		end()
		return nil, err
	}
	answer := p.take()
	b := &Body{name: r.URL.String(), hook: &ending{stop: end}}
	b.in.open(w, sent{answer.Body, r.URL}, b.name)
	w.rt.Scheduler().Attachments().Own(b.hook)
	return &Answer{Status: answer.StatusCode, Header: answer.Header, Body: b}, nil
}

// Read is Conn.Read. After a Close the error is net.ErrClosed.
func (b *Body) Read(f *stackful.Fiber, p []byte, deadline fiber.Time) (n int, err error) {
	if !b.hook.closed {
		n, err = b.in.Read(f, p, deadline)
	}
	var stopped *stackful.Interrupt
	if b.hook.closed && !errors.As(err, &stopped) {
		return 0, fmt.Errorf("read %s: %w", b.name, net.ErrClosed)
	}
	return n, err
}

// Close gives up what has not been read. Whoever waits to read has an error. It does not
// wait, and is for the fiber that made the request; a second Close does nothing.
func (b *Body) Close(f *stackful.Fiber) {
	b.hook.closed = true
	b.hook.stop()
	f.Runtime().Scheduler().Attachments().Disown(b.hook)
}
