package fiberio

import (
	"io"
	"math"
	"net/http"
	"time"
)

// plainResponse is a response with the text of its status.
func plainResponse(status int) *Response {
	return &Response{Status: status, Header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, Body: []byte(http.StatusText(status) + "\n")}
}

// write sends the response on a goroutine of net/http.
func (a *Response) write(out http.ResponseWriter, r *http.Request, timeout time.Duration) {
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
	_, _ = sender{out, http.NewResponseController(out), timeout}.Write(a.Body) // an error means that the client has gone away
}

// sendable replaces a status with which net/http would panic, or would expect another one.
func sendable(status int) int {
	if status < 200 || status > 999 {
		return http.StatusInternalServerError
	}
	return status
}

// sender writes to a client, which has a time to accept each part. The last deadline also holds
// for what net/http has in its buffer; trackConn clears it for the next request.
type sender struct {
	out     io.Writer
	control *http.ResponseController
	timeout time.Duration // math.MaxInt64 is none
}

// partSize is how many bytes a client must accept before it gets more time.
const partSize = 64 << 10

// Write is io.Writer's.
func (s sender) Write(p []byte) (written int, err error) {
	for {
		deadline := time.Time{}
		if s.timeout != math.MaxInt64 {
			deadline = time.Now().Add(s.timeout)
		}
		_ = s.control.SetWriteDeadline(deadline) // if this fails, so does the write
		n, err := s.out.Write(p[:min(len(p), partSize)])
		written, p = written+n, p[n:]
		if err != nil || len(p) == 0 {
			return written, err
		}
	}
}
