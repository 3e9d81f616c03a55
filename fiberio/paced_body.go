package fiberio

import (
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"sync"
	"time"
)

// pacedBody is the body of a request, with a deadline for each read. A read beyond the limits of
// time fails with os.ErrDeadlineExceeded, one beyond the limit of size with *http.MaxBytesError.
type pacedBody struct {
	from    io.Reader
	control *http.ResponseController
	pace    pace

	mu      sync.Mutex
	expects bool  // a read may write "100 Continue" to a connection of HTTP/1
	cut     bool  // no further read may wait
	err     error // with which the last read has failed; io.EOF at the end
}

// bodyOf is the body of a request within the server's limits.
func (s *Server) bodyOf(out http.ResponseWriter, control *http.ResponseController, r *http.Request) *pacedBody {
	b := &pacedBody{
		from:    http.MaxBytesReader(out, r.Body, s.limits.MaxBody),
		control: control,
		pace:    newPace(time.Now(), s.limits.MinRate, s.limits.BodyTimeout),
		expects: r.ProtoMajor == 1 && r.Header.Get("Expect") != "",
	}
	if r.ContentLength == 0 {
		b.err = io.EOF
	}
	return b
}

// Read is io.Reader's. It is for one goroutine at a time.
func (b *pacedBody) Read(p []byte) (int, error) {
	begin := time.Now()
	deadline := b.pace.deadline(begin)
	b.arm(deadline)
	n, err := b.from.Read(p)
	took := time.Since(begin)
	b.pace.took(n, took)
	if err == nil {
		return n, nil
	}
	if err != io.EOF && !deadline.IsZero() && took >= deadline.Sub(begin) {
		err = os.ErrDeadlineExceeded // net/http reports it as an incomplete trailer, for example
	}
	b.fail(err)
	return n, err
}

func (b *pacedBody) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{}) // from now on net/http reads, to see when the client goes away
	}
}

// ended reports whether the whole body has been read.
func (b *pacedBody) ended() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err == io.EOF
}

// refusal is the response if the client has broken a limit, or nil.
func (b *pacedBody) refusal() *Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case errors.As(b.err, new(*http.MaxBytesError)):
		return plainResponse(http.StatusRequestEntityTooLarge)
	case errors.Is(b.err, os.ErrDeadlineExceeded) && !b.cut:
		return plainResponse(http.StatusRequestTimeout)
	}
	return nil
}

// arm sets the deadline of reads from the connection, unless the body has ended or interrupt has
// been called. It also holds for "100 Continue", which a client may not accept.
func (b *pacedBody) arm(deadline time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cut || b.err == io.EOF {
		return
	}
	_ = b.control.SetReadDeadline(deadline) // if this fails, so does the read
	if b.expects {
		_ = b.control.SetWriteDeadline(deadline) // the response sets its own
	}
}

// responds is for the beginning of the response, after which no read writes "100 Continue".
func (b *pacedBody) responds() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expects = false
}

// interrupt makes a read that is waiting, and every later one, return. The response is not being
// written meanwhile; what is written afterwards needs a new deadline.
func (b *pacedBody) interrupt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cut = true
	_ = b.control.SetReadDeadline(past())
	if b.expects {
		_ = b.control.SetWriteDeadline(past())
	}
}

// drain limits how long net/http reads on for a body that the handler has not read.
func (b *pacedBody) drain() { b.arm(time.Now().Add(maxBehind)) }

// skip reads the rest of a short body within the time of drain, so that the connection can be used
// for another request. It reports whether it can.
func (b *pacedBody) skip() bool {
	const short = 256 << 10
	if b.ended() {
		return true
	}
	b.pace = newPace(time.Now(), math.MaxInt64, maxBehind)
	_, err := io.CopyN(io.Discard, b, short)
	return err == io.EOF
}
